import type { RE2JS } from "re2js";

let engine: typeof import("re2js") | undefined;

/**
 * Compiles a regular expression of a user: matching takes time linear in the text. Throws the error
 * in it. The engine is loaded with the first expression.
 */
export function compileExpression(pattern: string): RE2JS {
  const loaded: typeof import("re2js") = engine ?? require("re2js");
  engine = loaded;
  return loaded.RE2JS.compile(pattern);
}
