// srpatch as WebAssembly. There's no logic here: every call becomes a line of `srpatch filter`,
// and Go answers it. index.d.ts has the types.

let loading;

/**
 * Loads the WebAssembly, once. The other functions call it. Call it yourself to choose where the
 * WebAssembly comes from, or to get functions that return their results at once.
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
    loading = undefined; // the next call loads it again
    throw new Error("this WebAssembly isn't srpatch, or it ran out of memory");
  });
  ended.catch(() => {});
  try {
    return bind(await Promise.race([ready, ended]));
  } finally {
    delete globalThis[hook];
  }
}

let Go;

// runtime returns Go's own loader. That adds stand-ins for Node's globals, which Go needs only at
// its start. They are removed then, because they would mislead other programs.
async function runtime() {
  const before = new Set(["fs", "process", "path"].filter((name) => name in globalThis));
  await import("./wasm_exec.js");
  if (globalThis.Go) {
    Go = globalThis.Go; // the import runs only once
    delete globalThis.Go;
  }
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
  const call = (name, text) => {
    const out = wasm[name](text);
    if (out instanceof Error) throw out;
    if (out === undefined) throw new Error("srpatch ran out of memory; load it again");
    return JSON.parse(out);
  };
  const answer = (request) => call("answer", JSON.stringify(record("request", request)));
  const apply = (reply, files, options = {}) => {
    const { want = "content", ...others } = record("options", options);
    return withBytes(
      answer({
        strict_keys: true,
        ...others,
        want: [...new Set([want, "feedback"].flat())],
        reply: text(reply),
        ...contents(record("files", files)),
      }),
    );
  };
  return {
    answer,
    apply,
    feedback: (reply, files, options) => {
      const { error, feedback } = apply(reply, files, { ...options, want: "none" });
      if (error && error.code !== "no-edits") throw new Error(error.message);
      return feedback ?? "";
    },
    parse: (reply) => call("parse", text(reply)),
  };
}

function text(reply) {
  if (typeof reply !== "string") throw new TypeError("reply: expected a string");
  return reply;
}

function record(name, value) {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Map) {
    throw new TypeError(`${name}: expected an object`);
  }
  return value;
}

// contents returns the files of a request, with bytes in files_b64.
function contents(files) {
  const out = { files: Object.create(null), files_b64: Object.create(null) };
  for (const [path, content] of Object.entries(files)) {
    if (content === null || typeof content === "string") out.files[path] = content;
    else if (content instanceof Uint8Array) out.files_b64[path] = base64(content);
    else throw new TypeError(`${path}: expected a string, a Uint8Array or null`);
  }
  return out;
}

// withBytes moves the bytes of an answer into its files.
function withBytes({ files_b64: encoded, ...answer }) {
  for (const [path, data] of Object.entries(encoded ?? {})) {
    answer.files[path] = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  }
  return answer;
}

function base64(bytes) {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(binary);
}
