// Tests the page in Chromium: node --test test.mjs, after build.sh. It needs puppeteer-core, and
// CHROMIUM names the browser. SCREENSHOTS names a folder for pictures of the page.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import test, { after, before } from "node:test";
import puppeteer from "puppeteer-core";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
let server, browser, address, page;
const faults = [];
const requests = [];

before(async () => {
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html");
    const file = join(import.meta.dirname, path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"],
  });
  page = await open();
});
after(async () => {
  await browser?.close();
  server?.close();
});

async function open(fragment = "") {
  const page = await browser.newPage();
  page.on("request", (r) => r.url().startsWith("data:") || requests.push(r.url()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  await page.goto(address + fragment);
  await page.waitForFunction(() => document.getElementById("status").textContent !== "Loading…");
  return page;
}

const text = (selector, on = page) => on.$eval(selector, (e) => e.textContent);
const value = (selector, on = page) => on.$eval(selector, (e) => e.value);
const settle = (on, want) => on.waitForFunction(
  (want) => document.getElementById("status").textContent.includes(want), {}, want);

// fill types into a field at once.
const fill = (on, selector, text) => on.$eval(selector, (e, text) => {
  e.value = text;
  e.dispatchEvent(new Event("input", { bubbles: true }));
}, text);

const block = (search, replace) =>
  `a.txt\n<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;

async function put(on, file, reply) {
  await on.select("#example", "");
  await fill(on, "#files input", "a.txt");
  await fill(on, "#files textarea", file);
  await fill(on, "#reply", reply);
}

async function picture(name, width, scheme) {
  if (!process.env.SCREENSHOTS) return;
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), fullPage: true });
}

test("the first example is applied", async () => {
  assert.equal(await text("#status"), "2 of 2 blocks can be applied");
  assert.match(await text("#block1"), /cart\.py:5-6.*Forgiven: indentation/s);
  assert.match(await text("#result > .scroll"), /def add\(self, name, price, count=1\)/);
  await picture("applied", 1600, "light");
});

test("a refusal shows the nearest lines, and its corrected block can be used", async () => {
  await page.select("#example", "1");
  await settle(page, "0 of 1");
  assert.match(await text("#block1 table"), /≠/);
  await picture("refused", 1600, "dark");
  await page.focus("#block1 button");
  await page.keyboard.press("Enter");
  await settle(page, "1 of 1");
  assert.match(await value("#reply"), /round\(sum\(price for name, price in self.items\), 2\)/);
});

test("each example has the status that it should have", async () => {
  for (const [i, want] of ["2 of 2", "0 of 1", "0 of 1", "1 of 1", "2 of 2"].entries()) {
    await page.select("#example", String(i));
    await settle(page, want);
  }
  await picture("narrow", 400, "dark");
});

test("it fits a narrow window", async () => {
  await page.setViewport({ width: 400, height: 900 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.setViewport({ width: 1600, height: 900 });
});

test("a link opens the same in another window", async () => {
  await put(page, "one\nzwei 🎉\n", block("one\n", "two\n"));
  await settle(page, "1 of 1");
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 1);
  const other = await open(new URL(await page.url()).hash);
  for (const id of ["#files input", "#files textarea", "#reply"]) {
    assert.equal(await value(id, other), await value(id));
  }
  assert.equal(await text("#result", other), await text("#result"));
  await other.close();
});

test("a damaged link says so", async () => {
  for (const fragment of ["#1.abc", "#1.%%%", "#2.x", "#1.", "#1.q1YqSS0uUbICAA"]) {
    const other = await open(fragment);
    assert.match(await text("#status", other), /^This link is damaged/, fragment);
    await other.close();
  }
});

test("a hostile reply is shown as text", async () => {
  const reply = block("<script>alert(1)</script>\x1b]0;x\x07\u202eone\n",
    "<img src=x onerror=alert(1)>\n");
  await put(page, "<script>alert(1)</script>\n", reply);
  await settle(page, "of 1");
  assert.equal(await page.$("#result script, #result img"), null);
  assert.match(await text("#block1"), /<script>.*U\+001B.*U\+0007U\+202E/s);
  await fill(page, "#files input", "<b>.txt");
  await settle(page, "of 1");
  assert.equal(await page.$("#result b"), null);
});

test("every field has a label, and the keyboard reaches all of it", async () => {
  await page.select("#example", "1");
  const unnamed = await page.$$eval("input, textarea, select, button", (all) =>
    all.filter((e) => !e.labels?.length && !e.textContent).length);
  assert.equal(unnamed, 0);
  const reached = new Set();
  await page.evaluate(() => document.activeElement.blur());
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() =>
      document.activeElement.id || document.activeElement.textContent));
  }
  for (const id of ["example", "policy", "share", "add", "reply", "Use the corrected block"]) {
    assert.ok(reached.has(id), `${id} is not reached`);
  }
});

test("a file of 10,000 lines", async (t) => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `value_${i} = compute(${i})\n`);
  await put(page, lines.join(""), "");
  await settle(page, "no edit");
  const started = performance.now();
  await fill(page, "#reply", block("value_9000 = compte(9000)\nvalue_9001 = compute(9001)\n",
    "value_9000 = compte(9000)\nvalue_9001 = 1\n"));
  await settle(page, "1 of 1");
  t.diagnostic(`${Math.round(performance.now() - started)} ms from the input to the result`);
});

test("nothing went wrong on the way, and nothing left the page", () => {
  assert.deepEqual(faults, []);
  assert.deepEqual(requests.filter((url) => !url.startsWith(address)), []);
});
