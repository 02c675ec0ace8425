import type { RE2JS } from "re2js";

let engine: typeof import("re2js") | undefined;

/**
 * Compiles a regular expression of a user. The time of a match grows linearly with the text. Throws
 * an error that describes the mistake in the expression. The engine is loaded with the first
 * expression.
 */
export function compileExpression(pattern: string): RE2JS {
  const loaded: typeof import("re2js") = engine ?? require("re2js");
  engine = loaded;
  return loaded.RE2JS.compile(pattern);
}
