// node page.mjs PAGE runs the page's TypeScript and JavaScript where srpatch is installed. The
// former needs the package typescript.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const page = readFileSync(process.argv[2], "utf8");
const code = (language) => page.split("```" + language + "\n")[1].split("```")[0];
const files = { "a.txt": "one\n" };
const block = (search) => `a.txt\n<<<<<<< SEARCH\n${search}\n=======\ntwo\n>>>>>>> REPLACE\n`;

writeFileSync("agent.mts", code("ts"));
const flags = ["--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"];
execFileSync("node_modules/.bin/tsc", [...flags, "agent.mts"], { stdio: "inherit" });
const { edit } = await import("./agent.mjs");
const asked = [];
const model = async (messages) => block(asked.push([...messages]) === 1 ? "three" : "one");
assert.deepEqual(await edit(model, "Count.", files), { "a.txt": "two\n" });
assert.deepEqual(asked[0], ["Count."]);
assert.match(asked[1][2], /^1 edit in your reply/);
await assert.rejects(edit(async () => block("three"), "Count.", files), /gave up/);

const wasm = readFileSync("node_modules/srpatch/srpatch.wasm");
const server = createServer(({ url }, out) => out.end(url === "/assets/srpatch.wasm" && wasm));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = code("js")
  .replace("load(\"", `load("http://127.0.0.1:${server.address().port}`)
  .replace("reply", JSON.stringify(block("one")))
  .replace("files", JSON.stringify(files));
writeFileSync("browser.mjs", `${browser}export { answer };\n`);
const { answer } = await import("./browser.mjs");
assert.deepEqual(answer.files, { "a.txt": "two\n" });
server.close();
