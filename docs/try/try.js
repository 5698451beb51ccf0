// The page: it asks srpatch about the files and the reply, and shows the answer. Everything that
// comes from them gets into the page as text.

import { load } from "./srpatch/index.js";
import { compare, compareFiles } from "./compare.js";
import { examples } from "./examples.js";
import { decode, encode } from "./link.js";

const $ = (id) => document.getElementById(id);
const srpatch = await load().catch((error) => {
  $("status").textContent = `srpatch can't be loaded: ${error.message}`;
  throw error;
});

// make is an element with attributes and children; strings become text.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// visible is text whose control characters, also those that turn the writing, can be seen.
function visible(text) {
  const control = /([\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff])/;
  return text.split(control).map((part, i) => i % 2 === 0 ? part
    : make("span", { class: "control" }, part === "\r" ? "CR" : `U+${hex(part)}`));
}

const hex = (c) => c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

// The input.

let files = 0;

function addFile(path = "", text = "") {
  const n = ++files;
  const field = make("textarea", { id: `text${n}`, rows: 10, spellcheck: "false", input: later });
  field.value = text;
  const name = make("input", { id: `path${n}`, class: "path", placeholder: "path/to/file",
    spellcheck: "false", autocomplete: "off", input: later });
  name.value = path;
  const file = make("div", { class: "file" },
    make("p", {},
      make("label", { for: `path${n}` }, "Path"), name,
      make("button", { type: "button", click: remove }, "Remove")),
    make("label", { for: `text${n}`, class: "note" }, "Content"), field);
  $("files").append(file);
  return name;

  function remove() {
    file.remove();
    update();
    $("add").focus();
  }
}

function state() {
  const all = {};
  for (const file of $("files").children) {
    const path = file.querySelector("input").value.trim();
    if (path) all[path] = file.querySelector("textarea").value;
  }
  return { files: all, reply: $("reply").value, policy: $("policy").value };
}

function show(s) {
  $("files").replaceChildren();
  for (const [path, text] of Object.entries(s.files)) addFile(path, text);
  $("reply").value = s.reply;
  $("policy").value = ["strict", "loose"].includes(s.policy) ? s.policy : "safe";
  update();
}

let timer;
function later() {
  clearTimeout(timer);
  timer = setTimeout(update, 150);
}

// The output.

function update() {
  clearTimeout(timer);
  const s = state();
  const answer = srpatch.answer({ ...s, partial: true, want: ["content", "diff"] });
  const parsed = answer.error ? { blocks: [] } : srpatch.parse(s.reply);
  const sources = new Map(parsed.blocks.map((b) => [b.id, b]));
  summary(answer);
  $("result").replaceChildren(
    ...answer.diagnostics.map(diagnostic),
    ...(answer.noticed ?? []).map((n) => make("article", { class: "failed" },
      make("h3", {}, `Line ${n.line} looks like an edit, and was ignored`))),
    ...answer.blocks.map((b) => block(b, sources.get(b.id), s)),
    ...compareFiles(answer.diff ?? "").map(changed));
}

const placed = (b) => b.status !== "failed";

function summary({ error, blocks, diagnostics }) {
  const n = blocks.length + diagnostics.length;
  const good = blocks.filter(placed).length;
  let text = `${good} of ${n} ${n === 1 ? "block" : "blocks"} can be applied`;
  if (error) text = error.code === "no-edits" ? "The reply has no edits" : error.message;
  else if (good < n) text += "; srpatch would refuse the reply and write nothing";
  $("status").replaceChildren(...visible(text));
  $("status").className = !error && good === n ? "good" : "bad";
}

function diagnostic(d) {
  return make("article", { class: "failed" },
    make("h3", {}, `✗ line ${d.line}: ${d.code}`),
    make("p", {}, "Found ", ...visible(d.found), ", expected ", ...visible(d.expected), "."),
    make("pre", {}, ...visible(d.remedy)));
}

function block(b, source, s) {
  const where = b.lines ? `:${[...new Set(b.lines)].join("-")}` : "";
  const article = make("article", { class: placed(b) ? "applied" : "failed", id: `block${b.id}` },
    make("h3", {}, placed(b) ? "✓ " : "✗ ", `${b.id} `, ...visible(b.path ?? ""), where,
      make("span", { class: "note" }, ` ${verdict(b)}`)));
  for (const text of [b.message, b.remedy, ...b.warnings]) {
    if (text) article.append(make("p", {}, ...visible(text)));
  }
  if (b.forgiven?.length) {
    article.append(make("p", { class: "mark" }, `Forgiven: ${b.forgiven.join(", ")}`));
  }
  const there = placed(b) ? linesOf(s.files[b.path], b.lines) : b.nearest?.text;
  const first = (placed(b) ? b.lines : b.nearest?.lines)?.[0];
  if (source?.search && there) article.append(sideBySide(source.search, there, first, placed(b)));
  (b.corrected ?? []).forEach((text, i, all) => article.append(
    make("pre", { tabindex: "0", role: "region", "aria-label": "Corrected block" },
      ...visible(text.trim())),
    make("button", { type: "button", click: () => correct(source, text) },
      all.length > 1 ? `Use corrected block ${i + 1}` : "Use the corrected block")));
  return article;
}

function verdict(b) {
  return placed(b) ? [b.status, b.strategy].filter(Boolean).join(", ") : b.reason;
}

function linesOf(text, lines) {
  if (text === undefined || !lines) return undefined;
  return text.split("\n").slice(lines[0] - 1, lines[1]).join("\n") + "\n";
}

// correct puts a corrected block where the refused one is in the reply.
function correct(source, text) {
  const lines = $("reply").value.split("\n");
  let [from, to] = [source.lines[0] - 1, source.lines[1]];
  let new_ = text.trim().split("\n");
  if (/^\s*[<-]{5,9} SEARCH/.test(lines[from])) { // its name and its fence stay
    new_ = new_.slice(new_.findIndex((l) => l.startsWith("<<<<<<<")),
      new_.findIndex((l) => l.startsWith(">>>>>>>")) + 1);
  } else if (/^\s*```/.test(lines[from - 1] ?? "") && /^\s*```\s*$/.test(lines[to] ?? "")) {
    [from, to] = [from - 1, to + 1];
  }
  lines.splice(from, to - from, ...new_);
  $("reply").value = lines.join("\n");
  update();
  $("status").scrollIntoView({ block: "nearest" });
  $("reply").focus();
}

// The tables.

function table(caption, heads, rows) {
  return make("div", { class: "scroll" }, make("table", {}, make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...heads.map(([text, css]) =>
      make("th", { scope: "col", class: css }, text)))),
    make("tbody", {}, ...rows)));
}

function sideBySide(search, there, first, good) {
  const signs = { same: "=", blanks: "≈", other: "≠", left: "+", right: "+" };
  const css = { same: "", blanks: "forgiven", other: good ? "forgiven" : "removed" };
  const rows = compare(search, there).map(({ kind, left, right, line }) => {
    const marked = css[kind] ?? (good ? "forgiven" : "removed");
    return make("tr", {},
      make("td", { class: `code ${marked}` }, ...visible(left ?? "")),
      make("td", { class: `sign ${marked}` }, signs[kind]),
      make("td", { class: "number" }, line === undefined ? "" : String(first + line)),
      make("td", { class: `code ${marked}` }, ...visible(right ?? "")));
  });
  return table(good ? "Where it goes" : "The nearest lines",
    [["SEARCH", ""], ["", "sign"], ["", "number"], ["the file", ""]], rows);
}

function changed({ title, rows }) {
  return table(title, [["", "number"], ["before", ""], ["", "number"], ["after", ""]],
    rows.map((r) => make("tr", {},
      make("td", { class: "number" }, String(r.old ?? "")),
      make("td", { class: `code ${r.kind === "same" || r.left === undefined ? "" : "removed"}` },
        ...visible(r.left ?? "")),
      make("td", { class: "number" }, String(r.new ?? "")),
      make("td", { class: `code ${r.kind === "same" || r.right === undefined ? "" : "added"}` },
        ...visible(r.right ?? "")))));
}

// The start.

for (const [i, e] of examples.entries()) $("example").append(make("option", { value: i }, e.name));
$("example").append(make("option", { value: "" }, "your own"));
$("example").addEventListener("change", () => {
  history.replaceState(null, "", location.pathname); // the link was for something else
  show(examples[$("example").value] ?? { files: { "": "" }, reply: "" });
});
$("policy").addEventListener("change", update);
$("reply").addEventListener("input", later);
$("add").addEventListener("click", () => addFile().focus());
$("share").addEventListener("click", async () => {
  history.replaceState(null, "", await encode(state()));
  let says = "The link is in the address bar.";
  try {
    await navigator.clipboard.writeText(location.href);
    says = "Copied. The link holds the files and the reply.";
  } catch { /* the clipboard may be out of reach */ }
  $("shared").textContent = says;
});

async function open() {
  try {
    const shared = await decode(location.hash);
    show(shared ?? examples[0]);
    if (shared) $("example").value = "";
  } catch (error) {
    show({ files: { "": "" }, reply: "" });
    $("example").value = "";
    $("status").textContent = `This link is damaged (${error.message}). Ask for it again.`;
    $("status").className = "bad";
  }
}
addEventListener("hashchange", open);
await open();
