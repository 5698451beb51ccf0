/** Files by path. null is a file that doesn't exist; bytes are for files that aren't UTF-8. */
export type Files = Record<string, string | Uint8Array | null>;

/** Keys of a request of `srpatch filter`; docs/wire.md describes them. */
export interface Options {
  /** Returned with the answer. */
  id?: unknown;
  policy?: "strict" | "safe" | "loose";
  /** Apply the blocks that match, even if others are refused. */
  partial?: boolean;
  /** How the answer gives the files, "content" by default. It always has feedback. */
  want?: Want | Want[];
  /** SHA-256 of files as the model saw them, or "absent". */
  expect?: Record<string, string>;
  whole_files?: boolean;
  /** The reply was not cut off. */
  complete?: boolean;
  encoding?: string;
  names?: "near" | "exact";
  bytes?: "policy" | "exact";
  splice?: "three-way" | "verbatim";
  threshold?: number;
  append_empty?: boolean;
  replace_all?: boolean;
  budget?: number;
  run_budget?: number;
  deadline_ms?: number;
}

export type Want = "content" | "diff" | "edits" | "hash" | "none" | "feedback";

export interface Answer {
  version: 1;
  id: unknown;
  form?: "reply" | "search" | "old";
  status: "applied" | "partial" | "refused" | "error";
  /** For scorers: changed, already, no-op, not-found, … */
  outcome: string;
  changed: boolean;
  /** The changed files; null is a deleted one. Files that aren't UTF-8 are bytes. */
  files?: Files;
  diff?: string;
  changes?: unknown[];
  /** The message for the model, if something was refused. */
  feedback?: string;
  blocks: Block[];
  diagnostics: Diagnostic[];
  noticed?: unknown[];
  error?: { code: string; message: string };
}

/** The answer to any request. Bytes are in base64. */
export interface RawAnswer extends Omit<Answer, "files"> {
  files?: Record<string, string | null>;
  files_b64?: Record<string, string>;
  content?: string | null;
  content_b64?: string;
}

/** A block as parsed. */
export interface Edit {
  id: number;
  op: string;
  path: string;
  search?: string;
  replace?: string;
  [key: string]: unknown;
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
  /** The message for the model about what was refused, or "". An invalid request throws. */
  feedback(reply: string, files: Files, options?: Options): string;
  /** What `srpatch parse --json` prints: the blocks of a reply. */
  parse(reply: string): { version: 1; blocks: Edit[]; diagnostics: Diagnostic[] };
  /** Answers any request of `srpatch filter`. */
  answer(request: object): RawAnswer;
}

/** Where the WebAssembly comes from, if not from srpatch.wasm next to this module. */
export type Source = string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

/** Loads the WebAssembly, once. The functions of its result are synchronous. */
export function load(from?: Source): Promise<Srpatch>;
export function apply(reply: string, files: Files, options?: Options): Promise<Answer>;
export function feedback(reply: string, files: Files, options?: Options): Promise<string>;
export function parse(reply: string): Promise<ReturnType<Srpatch["parse"]>>;
export function answer(request: object): Promise<RawAnswer>;
