import { makeBudget } from "./budget";
import { classOf } from "./code-classes";
import { escapeAttribute, escapeCode } from "./escape";
import { workIn } from "./heavy-work";
import { findLanguage, type Language } from "./languages";

/**
 * Limits for one text: the characters of its code that are highlighted, and the marks in that code.
 * The rest of the code is shown plain.
 */
const spendCharacters = makeBudget(4_000);
/**
 * Factor by which code in a costly language counts. With the most difficult code, the time of its
 * grammar grows with the square of the length of the code, or of a line.
 */
const costlyFactor = 3;
const lineLengthMax = 200;
const spendMarks = makeBudget(2_000);

const languageBehindFence = /^\s*\{?\.?((?=[^\sa-z\d]*[a-z\d])[\w+\-./#*]+)(?![\p{L}\p{M}\p{N}])/iu;

/**
 * The language after the fence of a code block, such as `python`, `.python` or `{python}`; empty if
 * the fence names none.
 */
export const languageIn = (info: string) => languageBehindFence.exec(info)?.[1] ?? "";

/**
 * A block of code with the classes of Pygments, which clients style. Its language is never guessed.
 */
export function codeBlock(code: string, language: string, env: object): string {
  const definition = findLanguage(language);
  const lines = wholeLines(code);
  const html =
    definition?.grammar !== undefined
      ? highlighted(lines, definition, definition.grammar, env)
      : escapeCode(lines);
  return codeElement(html, definition?.label ?? language);
}

/** A block of code without highlighting. `info` is the text after its fence. */
export const plainCodeBlock = (code: string, info: string): string =>
  codeElement(
    escapeCode(wholeLines(code)),
    findLanguage(languageIn(info))?.label ?? languageIn(info),
  );

const wholeLines = (code: string) => (code.endsWith("\n") ? code : `${code}\n`);

function codeElement(html: string, label: string): string {
  const attribute = label === "" ? "" : ` data-code-language="${escapeAttribute(label)}"`;
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>\n`;
}

function highlighted(code: string, language: Language, grammar: string, env: object): string {
  const end = affordableEnd(code, language.isCostly ? costlyFactor : 1, env);
  if (end === 0) return escapeCode(code);
  const scoped = workIn(env, { kind: "code", source: code.slice(0, end), grammar });
  if (scoped === undefined) return escapeCode(code);
  return markParts(scoped, language, env) + escapeCode(code.slice(end));
}

/** End of the lines that are highlighted within the limits. */
function affordableEnd(code: string, factor: number, env: object): number {
  let position = 0;
  while (position < code.length) {
    const end = code.indexOf("\n", position) + 1 || code.length;
    if (end - position > lineLengthMax || !spendCharacters(env, factor * (end - position))) break;
    position = end;
  }
  return position;
}

/** A part of highlight.js' output: the beginning of a scope, its end, or text. */
const part = /<span class="([^"]*)">|(<\/span>)|([^<]+)/g;

/** Turns the nested scopes of highlight.js into the marks of Pygments, which are not nested. */
function markParts(scoped: string, language: Language, env: object): string {
  const scopes: string[] = [];
  let html = "";
  for (const [, scope, end, escaped] of scoped.matchAll(part)) {
    if (scope !== undefined) scopes.push(scope);
    else if (end !== undefined) scopes.pop();
    else html += markText(decodeEntities(escaped ?? ""), scopes, language, env);
  }
  return html;
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

const decodeEntities = (escaped: string) =>
  escaped.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? "");

function markText(
  text: string,
  scopes: readonly string[],
  language: Language,
  env: object,
): string {
  const className = text.trim() === "" ? undefined : classOf(scopes, text, language);
  if (className !== undefined) return mark(text, className, env);
  return language.isProse && scopes.length === 0
    ? escapeCode(text)
    : markWords(text, language, env);
}

const word =
  /([\p{L}_$][\p{L}\p{N}_$]*)|(\p{N}[\w.]*)|([()[\]{};,.:]+)|([-+*/%=<>!&|^~?@]+)|([^\S\n]+)|(\n+)|(.)/gsu;

/** Marks text without a scope: names, numbers, brackets, operators and spaces. */
function markWords(text: string, language: Language, env: object): string {
  let html = "";
  for (const [found, name, number, bracket, operator, space] of text.matchAll(word)) {
    if (name !== undefined) html += mark(found, language.name ?? "n", env);
    else if (number !== undefined) html += mark(found, language.number ?? "mi", env);
    else if (bracket !== undefined) html += mark(found, "p", env);
    else if (operator !== undefined) html += mark(found, "o", env);
    else if (space !== undefined && language.marksSpaces) html += mark(found, "w", env);
    else html += escapeCode(found);
  }
  return html;
}

/** Marks each line of a text separately, because clients number lines. */
const mark = (text: string, className: string, env: object) =>
  text.replace(/[^\n]+/g, (line) =>
    spendMarks(env, 1) ? `<span class="${className}">${escapeCode(line)}</span>` : escapeCode(line),
  );
