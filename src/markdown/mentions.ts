import type { MarkdownIt, StateInline, Token } from "markdown-it";
import type { LinkedChannel } from "./channel-links";

/** A person whom a message names. */
export interface MentionedPerson {
  id: number;
  fullName: string;
  isActive: boolean;
}

/** A user group that a text names. */
export interface MentionedGroup {
  id: number;
  name: string;
  isActive: boolean;
}

/** What a text's names mean in an organization, as far as whoever renders it was told. */
export interface Names {
  /** The person of that name and, where one is given, that id; an id may stand without a name. */
  person?(name: string, id: number | undefined): MentionedPerson | undefined;
  group?(name: string): MentionedGroup | undefined;
  channel?(name: string): LinkedChannel | undefined;
}

/** A person as they are written in a text: `@**name**`, `@**name|id**`, or silently `@_**name**`. */
export interface WrittenPerson {
  name: string;
  id: number | undefined;
}

/** Somebody who is mentioned, and the class and the attribute by which clients find that. */
interface Mentioned {
  className: string;
  attribute: string;
  id: number;
  name: string;
  isActive: boolean;
}

/** One way to mention somebody: the pattern gives whether it is silent, and what stands between the asterisks. */
interface Syntax {
  pattern: RegExp;
  find(written: string, names: Names): Mentioned | undefined;
}

const written = /^(.*)\|(\d{1,15})$/;

function readPerson(text: string): WrittenPerson {
  const [, name = text, digits] = written.exec(text) ?? [];
  return { name, id: digits === undefined ? undefined : Number(digits) };
}

const personPattern = String.raw`@(_?)\*\*([^*\n]+)\*\*`;

/** A group as it is written in a text: `@*name*`, or silently `@_*name*`. */
const groupPattern = String.raw`@(_?)\*([^*\n]+)\*`;

const syntaxes: readonly Syntax[] = [
  {
    pattern: new RegExp(personPattern, "y"),
    find(text, names) {
      const { name, id } = readPerson(text);
      const person = names.person?.(name, id);
      return person && { ...person, className: "user-mention", attribute: "data-user-id", name: person.fullName };
    },
  },
  {
    pattern: new RegExp(groupPattern, "y"),
    find(text, names) {
      const group = names.group?.(text);
      return group && { ...group, className: "user-group-mention", attribute: "data-user-group-id" };
    },
  },
];

/** Whom a text names, whether they exist or not, each once: what is to be looked up before it is rendered. */
export function personsWritten(source: string): WrittenPerson[] {
  const all = source.matchAll(new RegExp(personPattern, "g"));
  const found = new Map([...all].map(([, , text = ""]) => [text, readPerson(text)]));
  return [...found.values()];
}

/** The names of groups in a text, whether they exist or not, each once. */
export const groupsWritten = (source: string): string[] => [
  ...new Set([...source.matchAll(new RegExp(groupPattern, "g"))].map(([, , name = ""]) => name)),
];

/** What names mean in the texts that are being rendered, by the environment of each. */
const namesOf = new WeakMap<object, Names>();

/** The environment in which the parser renders a text with these names. */
export function environmentWith(names: Names | undefined): Record<string, unknown> {
  const env = {};
  if (names) namesOf.set(env, names);
  return env;
}

/** What names mean in a text that is being rendered. */
export const namesIn = (env: object): Names => namesOf.get(env) ?? {};

/** A mention stands at the beginning, or behind what can stand before a word. */
const beginsWord = /^[\s'"({[/<]?$/;

/** A mention that tells nobody and shows no `@`. */
const silentMark = "_";

/**
 * Shows people who are mentioned, by the names of `environmentWith`, as the protocol's clients style them. What names nobody
 * is text. In a quotation a mention is silent, and of somebody deactivated too.
 */
export function useMentions(markdown: MarkdownIt) {
  markdown.inline.ruler.after("newline", "mention", pushMention);
  markdown.core.ruler.after("inline", "quoted_mentions", ({ tokens }) => silenceQuoted(tokens));
  markdown.renderer.rules["mention"] = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index];
    if (!token) return "";
    const isSilent = token.markup === silentMark;
    if (isSilent) token.attrJoin("class", "silent");
    const shown = markdown.utils.escapeHtml(isSilent ? token.content : `@${token.content}`);
    return `<span${renderer.renderAttrs(token)}>${shown}</span>`;
  };
}

function pushMention(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "@" || !beginsWord.test(state.src[state.pos - 1] ?? "")) return false;
  const names = namesIn(state.env);
  for (const { pattern, find } of syntaxes) {
    pattern.lastIndex = state.pos;
    const [, mark = "", text = ""] = pattern.exec(state.src) ?? [];
    const end = pattern.lastIndex;
    const mentioned = text === "" || end > state.posMax ? undefined : find(text, names);
    if (!mentioned) continue;
    if (!silent) pushMentioned(state, mentioned, mark);
    state.pos = end;
    return true;
  }
  return false;
}

function pushMentioned(state: StateInline, { className, attribute, id, name, isActive }: Mentioned, mark: string) {
  const token = state.push("mention", "span", 0);
  token.attrSet("class", className);
  token.attrSet(attribute, String(id));
  token.content = name;
  token.markup = isActive ? mark : silentMark;
}

function silenceQuoted(tokens: Token[]) {
  let depth = 0;
  for (const { type, children } of tokens) {
    if (type === "blockquote_open") depth += 1;
    if (type === "blockquote_close") depth -= 1;
    if (depth === 0) continue;
    for (const child of children ?? []) if (child.type === "mention") child.markup = silentMark;
  }
}
