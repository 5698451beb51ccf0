// Run node --test test.mjs where srpatch is installed. SRPATCH_CASES names a file of requests, and
// SRPATCH_ANSWERS the answers of srpatch filter --no-ms.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";
import { answer, apply, feedback, load, parse } from "srpatch";

const lines = (name) => readFileSync(process.env[name], "utf8").trimEnd().split("\n");
const block = "a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";

test("a load that fails can be repeated", async () => {
  await assert.rejects(load("file:///nowhere/srpatch.wasm"), /nowhere/);
  await assert.rejects(load("file:///nowhere/srpatch.wasm"), /nowhere/);
});

test("it answers as the command does", async () => {
  const [cases, answers] = [lines("SRPATCH_CASES"), lines("SRPATCH_ANSWERS")];
  assert.equal(cases.length, answers.length);
  for (const [i, request] of cases.entries()) {
    assert.deepEqual(await answer(JSON.parse(request)), JSON.parse(answers[i]));
  }
});

test("how much faster the command is", async (t) => {
  const requests = Array(4).fill(lines("SRPATCH_CASES")).flat();
  const { answer } = await load();
  const took = (work) => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const here = took(() => requests.forEach((line) => JSON.stringify(answer(JSON.parse(line)))));
  const options = { input: requests.join("\n"), env: { ...process.env, GOMAXPROCS: "1" } };
  const command = ["node_modules/srpatch/bin.js", "filter", "--no-ms"];
  const there = took(() => execFileSync(process.execPath, command, { ...options, maxBuffer: 2 ** 28 }));
  t.diagnostic(`the command took ${Math.round(there)} ms, WebAssembly ${(here / there).toFixed(1)} times that`);
});

test("the package lists types and require before default", () => {
  const about = JSON.parse(readFileSync("node_modules/srpatch/package.json", "utf8"));
  assert.deepEqual(Object.keys(about.exports["."]), ["types", "require", "default"]);
});

test("files may be text, bytes or absent", async () => {
  const bytes = new Uint8Array([0x6f, 0x6e, 0x65, 0x0a, 0xff, 0x0a]); // "one", then Latin-1
  assert.equal((await apply(block, { "a.txt": "one\n" })).files["a.txt"], "two\n");
  const changed = new Uint8Array([0x74, 0x77, 0x6f, 0x0a, 0xff, 0x0a]);
  assert.deepEqual((await apply(block, { "a.txt": bytes })).files, { "a.txt": changed });
  assert.equal((await apply(block, { "a.txt": null })).blocks[0].reason, "no-such-file");
  await assert.rejects(apply(block, { "a.txt": 1 }), TypeError);
  await assert.rejects(apply(undefined, {}), TypeError);
  for (const wrong of [undefined, null, [], "a.txt", new Map()]) {
    await assert.rejects(apply(block, wrong), TypeError);
  }
  const odd = JSON.parse('{"__proto__": "one\\n"}');
  assert.equal((await apply(block.replace("a.txt", "__proto__"), odd)).status, "applied");
});

test("a refusal has a message for the model", async () => {
  assert.match(await feedback(block, { "a.txt": "three\n" }), /^1 edit in your reply/);
  assert.equal(await feedback(block, { "a.txt": "one\n" }), "");
  assert.match((await apply(block, { "a.txt": "three\n" }, { want: "diff" })).feedback, /^1 edit/);
  await assert.rejects(feedback(block, {}, { policy: "lenient" }), /policy/);
  assert.match((await apply(block, {}, { polcy: "strict" })).error.message, /polcy/);
});

test("broken text is an error, and later calls work", async () => {
  assert.equal((await apply("\ud800", {})).error.code, "lone-surrogate");
  assert.equal((await apply(block, { "a.txt": "one\n" })).status, "applied");
});

test("it can be required, and its functions can be synchronous", async () => {
  const required = createRequire(import.meta.url)("srpatch");
  assert.equal((await required.parse(block)).blocks.length, 1);
  const now = await load();
  assert.deepEqual(now.parse(block), await parse(block));
});

test("nothing is left in the global scope", () => {
  const ours = Object.keys(globalThis).filter((name) => /srpatch|^Go$/.test(name));
  assert.deepEqual(ours, []);
});
