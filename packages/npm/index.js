// srpatch as WebAssembly. There's no logic here: every call becomes a line of `srpatch filter`,
// and Go answers it. index.d.ts has the types.

let loading;

/**
 * Loads the WebAssembly, once. Everything else here does so by itself; call it to choose where the
 * WebAssembly comes from, or for functions that return their result at once.
 */
export function load(from = new URL("./srpatch.wasm", import.meta.url)) {
  loading ??= start(from).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

export const apply = async (reply, files, options) => (await load()).apply(reply, files, options);
export const feedback = async (reply, files, options) =>
  (await load()).feedback(reply, files, options);
export const parse = async (reply) => (await load()).parse(reply);
export const answer = async (request) => (await load()).answer(request);

async function start(from) {
  const Go = await runtime();
  const go = new Go();
  const module = await compile(from);
  const hook = `srpatch:${Math.random()}`;
  const ready = new Promise((resolve) => {
    globalThis[hook] = (answer, parse) => resolve({ answer, parse });
  });
  go.argv = ["srpatch", hook];
  const ended = go.run(await WebAssembly.instantiate(module, go.importObject)).then(() => {
    loading = undefined; // the next call starts anew
    throw new Error("srpatch ended unexpectedly; please report it");
  });
  ended.catch(() => {});
  const wasm = await Promise.race([ready, ended]);
  delete globalThis[hook];
  return bind(wasm);
}

// runtime is Go's own loader. It adds stand-ins for Node's globals, by which other programs tell
// where they are; Go needs them at its start only.
async function runtime() {
  const before = new Set(["fs", "process", "path"].filter((name) => name in globalThis));
  await import("./wasm_exec.js");
  const { Go } = globalThis;
  delete globalThis.Go;
  return class extends Go {
    run(instance) {
      const running = super.run(instance);
      for (const name of ["process", "path"]) if (!before.has(name)) delete globalThis[name];
      return running;
    }
  };
}

async function compile(from) {
  if (from instanceof WebAssembly.Module) return from;
  if (ArrayBuffer.isView(from) || from instanceof ArrayBuffer) return WebAssembly.compile(from);
  const url = new URL(from, import.meta.url);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

function bind(wasm) {
  const answer = (request) => JSON.parse(wasm.answer(JSON.stringify(request)));
  const apply = (reply, files, options) =>
    answer({ want: ["content", "feedback"], ...options, reply: text(reply), ...texts(files) });
  return {
    answer,
    apply,
    feedback: (reply, files, options) =>
      apply(reply, files, { ...options, want: "feedback" }).feedback ?? "",
    parse: (reply) => {
      const out = wasm.parse(text(reply));
      if (out instanceof Error) throw out;
      return JSON.parse(out);
    },
  };
}

function text(reply) {
  if (typeof reply !== "string") throw new TypeError("reply: expected a string");
  return reply;
}

// texts puts bytes where a request has them.
function texts(files) {
  const out = { files: {}, files_b64: {} };
  for (const [path, content] of Object.entries(files)) {
    if (content === null || typeof content === "string") out.files[path] = content;
    else if (content instanceof Uint8Array) out.files_b64[path] = base64(content);
    else throw new TypeError(`${path}: expected a string, a Uint8Array or null`);
  }
  return out;
}

function base64(bytes) {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(binary);
}
