import type { MarkdownIt, StateInline, Token } from "markdown-it";
import { type Names, namesIn } from "./names";

/**
 * People and groups that a text mentions with a notification. Silent mentions, and mentions in
 * quotations and code, do not count.
 */
export interface Mentions {
  /** The ids of the people, without duplicates. */
  people: number[];
  /** The ids of the user groups, without duplicates. */
  groups: number[];
  /** Everybody in the channel or the conversation. */
  channelWildcard: boolean;
  /** Everybody who took part in the topic. */
  topicWildcard: boolean;
}

/** The mentions of a text without any; nobody may change it. */
export const noMentions: Readonly<Mentions> = Object.freeze({
  people: [],
  groups: [],
  channelWildcard: false,
  topicWildcard: false,
});

/** A person in a text: `@**name**`, `@**name|id**`, or silently `@_**name**`. */
export interface WrittenPerson {
  name: string;
  id: number | undefined;
}

type Kind = "person" | "group" | "channelWildcard" | "topicWildcard";

/** A mentioned person or group, with the attributes for clients. */
interface Mentioned {
  kind: Kind;
  id: number;
  name: string;
  isActive: boolean;
}

/**
 * One form of mention. Its pattern captures whether the mention is silent, and the text between the
 * asterisks.
 */
interface Syntax {
  pattern: RegExp;
  findMentioned(written: string, names: Names): Mentioned | undefined;
}

const channelWildcards = new Set(["all", "everyone", "channel", "stream"]);
const topicWildcard = "topic";

const written = /^(.*)\|(\d{1,15})$/;

function readPerson(text: string): WrittenPerson {
  const [, name = text, digits] = written.exec(text) ?? [];
  return { name, id: digits === undefined ? undefined : Number(digits) };
}

const personPattern = String.raw`@(_?)\*\*([^*\n]+)\*\*`;

/** A group in a text: `@*name*`, or silently `@_*name*`. */
const groupPattern = String.raw`@(_?)\*([^*\n]+)\*`;

const isWildcard = (name: string) => channelWildcards.has(name) || name === topicWildcard;

const syntaxes: readonly Syntax[] = [
  {
    pattern: new RegExp(personPattern, "y"),
    findMentioned(text, names) {
      if (channelWildcards.has(text))
        return { kind: "channelWildcard", id: 0, name: text, isActive: true };
      if (text === topicWildcard)
        return { kind: "topicWildcard", id: 0, name: text, isActive: true };
      const { name, id } = readPerson(text);
      const person = names.person?.(name, id);
      return (
        person && {
          kind: "person",
          id: person.id,
          name: person.fullName,
          isActive: person.isActive,
        }
      );
    },
  },
  {
    pattern: new RegExp(groupPattern, "y"),
    findMentioned(text, names) {
      const group = names.group?.(text);
      return group && { kind: "group", id: group.id, name: group.name, isActive: group.isActive };
    },
  },
];

/**
 * People whom a text names, existing or not, without duplicates. They are looked up before the text
 * is rendered.
 */
export function personsWritten(source: string): WrittenPerson[] {
  const all = source.matchAll(new RegExp(personPattern, "g"));
  const found = new Map([...all].map(([, , text = ""]) => [text, readPerson(text)]));
  return [...found.values()].filter(({ name, id }) => id !== undefined || !isWildcard(name));
}

/** The names of groups in a text, existing or not, without duplicates. */
export const groupsWritten = (source: string): string[] => [
  ...new Set([...source.matchAll(new RegExp(groupPattern, "g"))].map(([, , name = ""]) => name)),
];

/**
 * Whether a mention may follow this character: it is the beginning of the text, or a character that
 * may precede a word.
 */
const beginsWord = /^[\s'"({[/<]?$/;

/** Mark of a mention that notifies nobody and shows no `@`. */
const silentMark = "_";

/**
 * Shows mentioned people and groups in the form for which clients of the protocol have styles. The
 * names have the meanings of `environmentWith`. A mention of an unknown name stays text. Mentions
 * in quotations, and of deactivated people, are silent.
 */
export function useMentions(markdown: MarkdownIt) {
  markdown.inline.ruler.after("newline", "mention", pushMention);
  markdown.core.ruler.after("inline", "quoted_mentions", ({ tokens }) => silenceQuoted(tokens));
  markdown.renderer.rules["mention"] = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index];
    if (!token) return "";
    const { attrs, content, markup } = token;
    const isSilent = markup === silentMark;
    const shownAttrs = renderer.renderAttrs({ attrs: isSilent ? silenced(attrs ?? []) : attrs });
    return `<span${shownAttrs}>${markdown.utils.escapeHtml(isSilent ? content : `@${content}`)}</span>`;
  };
}

const silenced = (attrs: NonNullable<Token["attrs"]>) =>
  attrs.map(([name, value]): [string, string] => [
    name,
    name === "class" ? `${value} silent` : String(value),
  ]);

function pushMention(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "@" || !beginsWord.test(state.src[state.pos - 1] ?? ""))
    return false;
  const names = namesIn(state.env);
  for (const { pattern, findMentioned } of syntaxes) {
    pattern.lastIndex = state.pos;
    const [, mark = "", text = ""] = pattern.exec(state.src) ?? [];
    const end = pattern.lastIndex;
    const mentioned = text === "" || end > state.posMax ? undefined : findMentioned(text, names);
    if (!mentioned) continue;
    if (!silent) pushMentioned(state, mentioned, mark).info = state.src.slice(state.pos, end);
    state.pos = end;
    return true;
  }
  return false;
}

function pushMentioned(
  state: StateInline,
  { kind, id, name, isActive }: Mentioned,
  mark: string,
): Token {
  const token = state.push("mention", "span", 0);
  for (const [attribute, value] of attributesOf(kind, id)) token.attrSet(attribute, value);
  token.content = name;
  token.markup = isActive ? mark : silentMark;
  mentionedBy.set(token, { kind, id });
  return token;
}

function attributesOf(kind: Kind, id: number): [string, string][] {
  switch (kind) {
    case "person":
      return [
        ["class", "user-mention"],
        ["data-user-id", String(id)],
      ];
    case "group":
      return [
        ["class", "user-group-mention"],
        ["data-user-group-id", String(id)],
      ];
    case "channelWildcard":
      return [
        ["class", "user-mention channel-wildcard-mention"],
        ["data-user-id", "*"],
      ];
    case "topicWildcard":
      return [["class", "topic-mention"]];
  }
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

const mentionedBy = new WeakMap<Token, Pick<Mentioned, "kind" | "id">>();

/** The mentions in a parsed text that notify people. */
export function mentionsIn(tokens: readonly Token[]): Mentions {
  const mentions: Mentions = {
    people: [],
    groups: [],
    channelWildcard: false,
    topicWildcard: false,
  };
  for (const { children } of tokens)
    for (const token of children ?? []) {
      const mentioned =
        token.type === "mention" && token.markup !== silentMark
          ? mentionedBy.get(token)
          : undefined;
      if (mentioned) note(mentions, mentioned);
    }
  return mentions;
}

function note(mentions: Mentions, { kind, id }: Pick<Mentioned, "kind" | "id">) {
  if (kind === "channelWildcard" || kind === "topicWildcard") {
    mentions[kind] = true;
    return;
  }
  const ids = kind === "person" ? mentions.people : mentions.groups;
  if (!ids.includes(id)) ids.push(id);
}
