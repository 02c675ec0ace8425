import type { Language } from "./languages";

/**
 * Classes of Pygments by scopes of highlight.js. Scopes without a meaning of their own are missing.
 */
const classes: Readonly<Record<string, string>> = {
  addition: "gi",
  attr: "na",
  attribute: "na",
  built_in: "nb",
  "char escape_": "se",
  comment: "c1",
  deletion: "gd",
  doctag: "cs",
  emphasis: "ge",
  keyword: "k",
  literal: "kc",
  "literal nil": "kc",
  meta: "cp",
  name: "nt",
  number: "mi",
  operator: "o",
  property: "py",
  punctuation: "p",
  quote: "ge",
  regexp: "sr",
  section: "gh",
  "selector-attr": "na",
  "selector-class": "nc",
  "selector-id": "nf",
  "selector-pseudo": "nd",
  "selector-tag": "nt",
  string: "s",
  strong: "gs",
  symbol: "ss",
  tag: "nt",
  "template-tag": "cp",
  "template-variable": "nv",
  title: "nf",
  "title class_": "nc",
  "title class_ inherited__": "nc",
  "title function_": "nf",
  "title function_ invoke__": "nf",
  type: "kt",
  variable: "nv",
  "variable constant_": "no",
  "variable language_": "bp",
};

/** Scopes whose text gets its classes as if it were outside of them. */
const transparent = new Set([
  "class",
  "function",
  "params",
  "subst",
  "code",
  "formula",
  "link",
  "bullet",
]);

const declaring = new Set(["const", "function", "let", "var"]);
const importing = new Set(["from", "import", "include", "require", "use", "using"]);
const wordOperators = new Set(["and", "in", "is", "not", "or"]);

/**
 * The class of a text by its scopes, of which the innermost is last; undefined for a text that
 * needs no class.
 */
export function classOf(
  scopes: readonly string[],
  text: string,
  language: Language,
): string | undefined {
  const scope = scopes.at(-1);
  if (scope === undefined || transparent.has(scope) || scope.startsWith("language-"))
    return undefined;
  switch (scope) {
    case "keyword":
      return keywordClass(text, language);
    case "string":
      return stringClass(text);
    case "comment":
      return text.startsWith("/*") || text.startsWith("<!--") ? "cm" : "c1";
    case "number":
      return numberClass(text, language);
    case "meta":
      return text.startsWith("@") ? "nd" : "cp";
    case "attr":
      return language.grammar === "json" || language.grammar === "yaml" ? "nt" : "na";
    default:
      return classes[scope] ?? classes[scope.split(" ")[0] ?? ""];
  }
}

function keywordClass(text: string, { grammar }: Language): string {
  if (grammar === "python" && wordOperators.has(text)) return "ow";
  if (importing.has(text) && grammar !== "sql") return "kn";
  const isScript = grammar === "javascript" || grammar === "typescript";
  return isScript && declaring.has(text) ? "kd" : "k";
}

function stringClass(text: string): string {
  if (text.startsWith('"""') || text.startsWith("'''")) return "sd";
  if (text.startsWith("'")) return "s1";
  if (text.startsWith("`")) return "sb";
  return text.startsWith('"') ? "s2" : "s";
}

function numberClass(text: string, language: Language): string {
  if (language.number !== undefined) return language.number;
  if (/^0x/i.test(text)) return "mh";
  return /[.e]/i.test(text) ? "mf" : "mi";
}
