/** Files by path. null is a file that doesn't exist; bytes are for files that aren't UTF-8. */
export type Files = Record<string, string | Uint8Array | null>;

/** Keys of a request of `srpatch filter`; docs/wire.md has them all. */
export interface Options {
  policy?: "strict" | "safe" | "loose";
  /** Apply the blocks that match, even if others are refused. */
  partial?: boolean;
  want?: Want | Want[];
  /** SHA-256 of files as the model saw them, or "absent". */
  expect?: Record<string, string>;
  whole_files?: boolean;
  /** Nothing of the reply was cut off. */
  complete?: boolean;
  encoding?: string;
  [key: string]: unknown;
}

export type Want = "content" | "diff" | "edits" | "hash" | "none" | "feedback";

export interface Answer {
  version: 1;
  id: unknown;
  status: "applied" | "partial" | "refused" | "error";
  /** For scorers: changed, already, no-op, not-found, … */
  outcome: string;
  changed: boolean;
  /** The changed files; null is one that was deleted. Bytes are in files_b64. */
  files?: Record<string, string | null>;
  files_b64?: Record<string, string>;
  /** For a request with path and content. */
  content?: string | null;
  content_b64?: string;
  diff?: string;
  changes?: unknown[];
  /** The message for the model, if something was refused. */
  feedback?: string;
  blocks: Block[];
  diagnostics: Diagnostic[];
  noticed?: unknown[];
  error?: { code: string; message: string };
}

export interface Block {
  id: number;
  path: string;
  status: string;
  reason?: string;
  message?: string;
  remedy?: string;
  strategy?: string;
  warnings?: string[];
  [key: string]: unknown;
}

export interface Diagnostic {
  code: string;
  found: string;
  expected: string;
  remedy: string;
  [key: string]: unknown;
}

export interface Srpatch {
  /** Applies the edits of a reply to texts. Nothing is written anywhere. */
  apply(reply: string, files: Files, options?: Options): Answer;
  /** The message for the model about what was refused, or "". */
  feedback(reply: string, files: Files, options?: Options): string;
  /** What `srpatch parse --json` prints: the blocks of a reply. */
  parse(reply: string): { version: 1; blocks: unknown[]; diagnostics: Diagnostic[] };
  /** Answers any request of `srpatch filter`. */
  answer(request: object): Answer;
}

/** Where the WebAssembly comes from, if not from srpatch.wasm next to this module. */
export type Source = string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

/** Loads the WebAssembly. The functions of its result return at once. */
export function load(from?: Source): Promise<Srpatch>;
export function apply(reply: string, files: Files, options?: Options): Promise<Answer>;
export function feedback(reply: string, files: Files, options?: Options): Promise<string>;
export function parse(reply: string): Promise<ReturnType<Srpatch["parse"]>>;
export function answer(request: object): Promise<Answer>;
