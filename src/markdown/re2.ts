import type { RE2JS } from "re2js";

let engine: typeof import("re2js") | undefined;

/**
 * Compiles a regular expression that somebody has written: matching takes time in proportion to the
 * text. Throws what is wrong with it. The engine is loaded with the first expression; the server
 * starts without.
 */
export function compileExpression(pattern: string): RE2JS {
  const loaded: typeof import("re2js") = engine ?? require("re2js");
  engine = loaded;
  return loaded.RE2JS.compile(pattern);
}
