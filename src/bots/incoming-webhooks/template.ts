import { badRequest } from "../../core/errors";
import { lengthsMax } from "../../protocol/limits";
import { pick } from "./payload";
import {
  codeBlock,
  codeLine,
  cut,
  foreignMarkdown,
  plainLine,
  quoteBlock,
  safeAddress,
  safeLine,
  safeSegment,
  settled,
} from "./safe-text";

/** A parsed template. */
export type Template = readonly Part[];

type Part = string | Field | Section;

interface Field {
  path: string;
  form: Form;
  /** Argument of a form: the word that is counted. */
  detail: string;
  fallback: string;
}

interface Section {
  path: string;
  kind: "each" | "if" | "unless";
  parts: Part[];
}

/** Data for filling a template. */
interface Filling {
  payload: unknown;
  /** Names of some words of the payload in `{path:say}`. */
  words?: Readonly<Record<string, string>>;
  /** Whether the result is a topic, which is plain text; otherwise it is Markdown. */
  isTopic?: boolean;
}

type Shape = (text: string, filling: Filling) => string;

const line: Shape = (text, { isTopic }) => (isTopic ? plainLine(text) : safeLine(text));
const firstLine = (text: string) => text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
const withoutRefs = (text: string) => text.replace(/^refs\/(heads|tags)\//, "");
const shortIdLength = 7;
const secondsMax = 8_640_000_000_000;

/**
 * Forms of a value; `text` by default. All but `lines`, `quote`, `code` and `markdown` are one
 * line. The last is Markdown that people have written for this place, as long as a message may be.
 */
const forms = {
  text: line,
  line: (text, filling) => line(firstLine(text), filling),
  short: (text, filling) => line(text.slice(0, shortIdLength), filling),
  words: (text, filling) => line(text.replaceAll("_", " ").toLowerCase(), filling),
  say: (text, filling) => wordFor(text, filling) ?? line(text.replaceAll("_", " "), filling),
  name: (text, { isTopic }) => (isTopic ? plainLine(text) : codeLine(text)),
  branch: (text, { isTopic }) => (isTopic ? plainLine : codeLine)(withoutRefs(text)),
  url: (text) => safeAddress(text),
  segment: (text) => safeSegment(text),
  time: (text) => timeOf(text),
  count: line,
  lines: (text, filling) =>
    cut(text, lengthsMax.message)
      .split(/\r\n?|\n/)
      .map((one) => line(one, filling))
      .join(filling.isTopic ? " " : "\n"),
  quote: (text) => quoteBlock(text),
  code: (text) => codeBlock(text),
  markdown: (text, filling) => (filling.isTopic ? plainLine(text) : foreignMarkdown(text)),
} satisfies Record<string, Shape>;
type Form = keyof typeof forms;

const wordFor = (text: string, { words = {} }: Filling) =>
  Object.hasOwn(words, text) ? words[text] : undefined;

/**
 * A moment, as ISO 8601 or in UNIX seconds, in the form that clients show in the reader's time
 * zone.
 */
function timeOf(text: string): string {
  const seconds = /^\d{1,13}$/.test(text) ? Number(text) : Date.parse(text) / 1_000;
  if (!Number.isFinite(seconds) || Math.abs(seconds) >= secondsMax) return "";
  if (text.startsWith(unsetDate)) return "";
  return `<time:${new Date(seconds * 1_000).toISOString().replace(/\.\d+Z$/, "Z")}>`;
}

const isForm = (word: string): word is Form => Object.hasOwn(forms, word);

const tag = /\{\{|\}\}|\{([#?^/]?)([\w$@.-]+)(?::([a-z]+)(?: ([\w ]+))?)?(?:\|([^{}]*))?\}/g;
const nestingMax = 3;

/**
 * Parses a template. `{path}` is the value at the path, `{path|text}` has a text for a missing
 * value, `{path:form}` writes it in one of the forms; `{#path}…{/path}` is repeated for each item
 * of a list, `{?path}…{/path}` appears if there is a value, `{^path}…{/path}` if there is none;
 * `{{` and `}}` are braces. In a repetition paths begin at its item, `.` is the item itself.
 * Refuses (BAD_REQUEST) other syntax.
 */
export function parseTemplate(source: string): Template {
  const root: Part[] = [];
  const open: { section: Section; outer: Part[] }[] = [];
  let parts = root;
  let end = 0;
  for (const found of source.matchAll(tag)) {
    pushText(parts, source.slice(end, found.index));
    end = found.index + found[0].length;
    const [all, sign = "", path = "", form, detail = "", fallback = ""] = found;
    if (path === "") pushText(parts, all.charAt(0), true);
    else if (sign === "/") {
      const closed = open.pop();
      if (closed?.section.path !== path)
        throw badRequest(`The template has {/${path}}, but no section of that name is open.`);
      parts = closed.outer;
    } else if (sign === "") parts.push(makeField(path, form ?? "text", detail, fallback));
    else {
      if (open.length >= nestingMax)
        throw badRequest(`A template has at most ${nestingMax} nested sections.`);
      const section: Section = {
        path,
        kind: sign === "#" ? "each" : sign === "?" ? "if" : "unless",
        parts: [],
      };
      parts.push(section);
      open.push({ section, outer: parts });
      parts = section.parts;
    }
  }
  pushText(parts, source.slice(end));
  const [unclosed] = open;
  if (unclosed) throw badRequest(`The template has no {/${unclosed.section.path}}.`);
  return root;
}

/** A brace outside of a field is a mistake. */
function pushText(parts: Part[], text: string, isBrace = false) {
  if (!isBrace && /[{}]/.test(text)) {
    throw badRequest(
      `The template has a brace that does not belong to a field, near '${plainLine(text).slice(0, 40)}'.`,
    );
  }
  if (text !== "") parts.push(text);
}

function makeField(path: string, form: string, detail: string, fallback: string): Field {
  if (!isForm(form))
    throw badRequest(`'${form}' is no form: use ${Object.keys(forms).join(", ")}.`);
  return { path, form, detail, fallback };
}

/**
 * Number of items of a list that are shown, of values in all, and of their characters, so that the
 * cost of one post is limited: a repetition may show a text of the whole post again and again. The
 * greatest post has a million characters.
 */
const itemsMax = 20;
const valuesMax = 1_000;
const charactersMax = 2_000_000;

interface Progress extends Filling {
  /** The payload, and the current items of nested repetitions, the innermost first. */
  scopes: readonly unknown[];
  left: { values: number; characters: number };
}

/** Fills a template. A link without an address becomes its label. */
export function fillTemplate(template: Template, filling: Filling): string {
  const text = fillParts(template, {
    ...filling,
    scopes: [filling.payload],
    left: { values: valuesMax, characters: charactersMax },
  });
  return settled(withoutEmptyLinks(text).trim());
}

/** Labels in place of links without an address. A label may have brackets in pairs. */
function withoutEmptyLinks(text: string): string {
  const signs = text.split(/(\[|\]\(\)|\]|\n)/);
  let open: number[] = [];
  for (const [at, sign] of signs.entries()) {
    if (sign === "\n") open = [];
    else if (sign === "[") open.push(at);
    else if (sign === "]" || sign === "]()") {
      const begin = open.pop();
      if (begin !== undefined && sign === "]()") signs[begin] = signs[at] = "";
    }
  }
  return signs.join("");
}

const fillParts = (parts: Template, progress: Progress): string =>
  parts.map((part) => (typeof part === "string" ? part : fillPart(part, progress))).join("");

function fillPart(part: Field | Section, progress: Progress): string {
  const { left } = progress;
  if (left.values <= 0 || left.characters <= 0) return "";
  left.values -= 1;
  if ("kind" in part) return fillSection(part, progress);
  const { path, form, detail, fallback } = part;
  const value = resolvePath(progress.scopes, path);
  if (form === "count") return counted(value, detail);
  const text = textOf(value);
  left.characters -= text.length;
  return forms[form](text, progress) || fallback;
}

function resolvePath(scopes: readonly unknown[], path: string): unknown {
  if (path === ".") return scopes[0] ?? undefined;
  for (const scope of scopes) {
    const found = pick(scope, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fillSection({ path, kind, parts }: Section, progress: Progress): string {
  const value = resolvePath(progress.scopes, path);
  if (kind === "if") return isGiven(value) ? fillParts(parts, progress) : "";
  if (kind === "unless") return isGiven(value) ? "" : fillParts(parts, progress);
  const items = Array.isArray(value) ? value : isGiven(value) ? [value] : [];
  const shown = items
    .slice(0, itemsMax)
    .map((item) => fillParts(parts, { ...progress, scopes: [item, ...progress.scopes] }))
    .join("");
  return items.length > itemsMax ? `${shown}\n… and ${items.length - itemsMax} more` : shown;
}

const emptyValues = new Set<unknown>([undefined, "", false, 0]);
/** Day of a time that was never set, as programs in Go and .NET write it. */
const unsetDate = "0001-01-01T00:00:00";

function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return !emptyValues.has(value) && !(typeof value === "string" && value.startsWith(unsetDate));
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** An object is no number: asking one with members of its own called `valueOf` for it throws. */
const numberOf = (value: unknown): number =>
  typeof value === "object" ? 0 : Number(value ?? 0) || 0;

/** Number of items of a list: `3`, or with a word for them `3 commits`. */
function counted(value: unknown, noun: string): string {
  const count = Array.isArray(value) ? value.length : numberOf(value);
  if (noun === "") return String(count);
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
