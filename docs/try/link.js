// A link holds the files and the reply in its fragment, compressed, so they never reach a server.

const prefix = "#1."; // the version of what follows

/** The fragment for a state. */
export async function encode(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  let binary = "";
  for (const b of packed) binary += String.fromCharCode(b);
  return prefix + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The state in a fragment; null if there is none. Throws if it's damaged. */
export async function decode(fragment) {
  if (fragment.length < 2) return null;
  if (!fragment.startsWith(prefix)) throw new Error("it isn't a link of this page");
  const binary = atob(fragment.slice(prefix.length).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const bytes = await through(packed, new DecompressionStream("deflate-raw"));
  const state = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  const files = Object.values(state.files);
  if (typeof state.reply !== "string" || files.some((f) => typeof f !== "string")) {
    throw new Error("files or reply are missing");
  }
  return state;
}

const most = 64 << 20; // bytes of a state: a short link may hold a lot

async function through(bytes, transform) {
  const writer = transform.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const parts = [];
  let length = 0;
  for (const reader = transform.readable.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    if ((length += value.length) > most) throw new Error("it holds too much");
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) all.set(part, (at += part.length) - part.length);
  return all;
}
