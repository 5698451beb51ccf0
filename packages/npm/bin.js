#!/usr/bin/env node
// Runs the command from the package for this platform.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const name = `@srpatch/${process.platform}-${process.arch}`;
const exe = process.platform === "win32" ? "srpatch.exe" : "srpatch";
let path = process.env.SRPATCH_BINARY;
try {
  path ||= createRequire(import.meta.url).resolve(`${name}/${exe}`);
} catch {
  console.error(
    `srpatch: the package ${name} isn't installed; install it, or set SRPATCH_BINARY to the program`,
  );
  process.exit(2);
}
const run = spawnSync(path, process.argv.slice(2), { stdio: "inherit" });
if (run.error) {
  console.error(`srpatch: ${run.error.message}`);
  process.exit(2);
}
if (run.signal) process.kill(process.pid, run.signal);
process.exit(run.status);
