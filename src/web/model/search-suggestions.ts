import { operatorOf, type Term } from "./narrow";
import { readSearchText, writeSearchText } from "./narrow-text";
import { type PeopleNames, writePerson } from "./people-names";
import { begunBy, type Named } from "./ranking";
import { type Token, tokensOf } from "./search-tokens";

/**
 * An operator as it is suggested: complete, like `is:unread`, or followed by an operand, like
 * `sender:`.
 */
export interface OperatorHint extends Named {
  /** Whether an operand must follow, so that it is not a condition by itself. */
  readonly isOpen: boolean;
}

export interface NamedPerson extends Named {
  readonly userId: number;
}

export interface NamedChannel extends Named {
  readonly channelId: number;
}

export interface NamedTopic extends Named {
  readonly channelId: number;
  readonly topic: string;
}

/** Everything that a search can name. */
export interface Searchable {
  readonly names: PeopleNames;
  readonly operators: readonly OperatorHint[];
  readonly people: readonly NamedPerson[];
  readonly channels: readonly NamedChannel[];
  /** Topics of a channel; without a channel, topics of recent messages. */
  topicsOf(channelId: number | undefined): readonly NamedTopic[];
  /** The person's latest searches, the latest first. */
  readonly recent: readonly string[];
}

/** The thing that a suggestion is about. */
export type Suggested =
  | { readonly kind: "recent" }
  | { readonly kind: "operator"; readonly name: string }
  | { readonly kind: "person"; readonly userId: number; readonly operator: string }
  | { readonly kind: "channel"; readonly channelId: number }
  | { readonly kind: "topic"; readonly channelId: number; readonly topic: string };

export interface Suggestion {
  readonly key: string;
  readonly about: Suggested;
  /** The part of the text that is replaced, and its replacement. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A suggestion without its position in the text. */
type Choice = Pick<Suggestion, "about" | "text">;

const most = { all: 10, recent: 5, hints: 8, some: 3 } as const;
/** Letters that must be typed, because a single letter begins too many names. */
const lettersMin = 2;

/** Suggestions for the text before the caret, the likeliest first. */
export function suggestionsFor(
  text: string,
  caret: number,
  searchable: Searchable,
): readonly Suggestion[] {
  const all = { from: 0, to: text.length };
  if (text.trim() === "")
    return placed([...recentOf("", searchable), ...hints("", "", searchable)], all, text);
  const token = tokenBefore(text, caret);
  if (!token) return placed(hints("", "", searchable), { from: caret, to: caret }, text);
  const whole = tokensOf(text).find(({ from }) => from === token.from);
  const span = { from: token.from, to: whole?.to ?? token.to };
  const rest = text.slice(0, span.from) + text.slice(span.to);
  if (token.name !== undefined) return placed(operandsOf(token, rest, searchable), span, text);
  return [
    ...placed(recentOf(text.slice(0, caret), searchable), all, text),
    ...placed(wordChoices(token, rest, searchable), span, text),
  ].slice(0, most.all);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Choices with their position. If a blank follows the position, they do not add one. */
const placed = (choices: readonly Choice[], span: Span, whole: string): readonly Suggestion[] =>
  choices.slice(0, most.all).map(({ about, text }) => ({
    about,
    ...span,
    text: whole[span.to] === " " ? text.trimEnd() : text,
    key: `${about.kind} ${text}`,
  }));

/** The token that ends at the caret, as far as it is typed. */
function tokenBefore(text: string, caret: number): Token | undefined {
  const last = tokensOf(text.slice(0, caret)).at(-1);
  return last?.to === caret ? last : undefined;
}

/** Earlier searches that begin with a text. */
const recentOf = (text: string, { recent }: Searchable): readonly Choice[] =>
  recent
    .filter((one) => one.startsWith(text.trimStart()) && one !== text.trim())
    .slice(0, text === "" ? most.recent : most.some)
    .map((one) => ({ about: { kind: "recent" }, text: one }));

/** Operators whose name or explanation begins with a text. */
const hints = (sign: string, text: string, { operators }: Searchable): readonly Choice[] =>
  begunBy(operators, text, most.hints).map(({ name, isOpen }) => ({
    about: { kind: "operator", name },
    text: `${sign}${name}${isOpen ? "" : " "}`,
  }));

/** Suggestions for a word: operators, and people, channels and topics whose names match it. */
function wordChoices(token: Token, rest: string, searchable: Searchable): readonly Choice[] {
  const { typed, isNegated } = token;
  const sign = isNegated ? "-" : "";
  const word = isNegated ? typed.slice(1) : typed;
  if (word.startsWith('"') || word.length < lettersMin) return hints(sign, word, searchable);
  const people = begunBy(searchable.people, word, most.some);
  return [
    ...hints(sign, word, searchable).slice(0, most.some + 1),
    ...channelChoices(`${sign}channel:`, word, searchable).slice(0, most.some),
    ...topicChoices(`${sign}topic:`, word, { rest, searchable }).slice(0, most.some),
    ...people.map((person) => personChoice(`${sign}sender:`, person, searchable)),
  ];
}

/** Suggestions for the operand of an operator. */
function operandsOf(token: Token, rest: string, searchable: Searchable): readonly Choice[] {
  const { name = "", isNegated, pieces, operand } = token;
  const start = `${isNegated ? "-" : ""}${name}:`;
  const typed = pieces.at(-1)?.text ?? "";
  switch (operatorOf(name.toLowerCase())) {
    case "channel":
      return channelChoices(start, typed, searchable);
    case "topic":
      return topicChoices(start, typed, { rest, searchable });
    case "sender":
    case "mentions":
      return peopleChoices(start, typed, searchable);
    case "dm":
    case "dm-including": {
      const before = operand.slice(0, pieces.at(-1)?.start);
      return peopleChoices(start + before, typed, searchable);
    }
    case "is":
    case "has":
    case "in":
    case "channels":
      return choicesOf(start, typed, searchable);
    default:
      return [];
  }
}

/** The operands of an operator with a fixed list of them. */
const choicesOf = (start: string, typed: string, { operators }: Searchable): readonly Choice[] =>
  operators
    .filter(({ name }) => name.startsWith(start.replace(/^-/, "").toLowerCase() + typed))
    .map(({ name }) => ({
      about: { kind: "operator", name },
      text: `${start.startsWith("-") ? "-" : ""}${name} `,
    }));

/** If nothing is typed, the person themselves comes first. */
function peopleChoices(start: string, typed: string, searchable: Searchable): readonly Choice[] {
  const { people, names } = searchable;
  const found = begunBy(people, typed, most.all);
  const self = people.find(({ userId }) => userId === names.me);
  const isMe = self !== undefined && "me".startsWith(typed.toLowerCase());
  const inTurn = isMe ? [self, ...found.filter((one) => one !== self)] : found;
  return inTurn.map((person) => personChoice(start, person, searchable));
}

const personChoice = (start: string, { userId }: NamedPerson, { names }: Searchable): Choice => ({
  about: { kind: "person", userId, operator: operatorOf(start.replaceAll(/^-|:.*$/gs, "")) ?? "" },
  text: `${start}${writePerson(userId, names)} `,
});

const channelChoices = (
  start: string,
  typed: string,
  { channels, names }: Searchable,
): readonly Choice[] =>
  begunBy(channels, typed, most.all).map(({ channelId }) => ({
    about: { kind: "channel", channelId },
    text: `${textOf(start, { operator: "channel", operand: channelId, negated: false }, names)} `,
  }));

/**
 * Topics of the channel that the rest of the text names. If it names none, topics are suggested
 * together with their channel.
 */
function topicChoices(
  start: string,
  typed: string,
  { rest, searchable }: { rest: string; searchable: Searchable },
): readonly Choice[] {
  const { names, topicsOf } = searchable;
  const channelId = channelIn(readSearchText(rest, names).narrow);
  return begunBy(topicsOf(channelId), typed, most.all).map(({ channelId: of, topic }) => {
    const isFree = channelId === undefined && !start.startsWith("-");
    const channel = { operator: "channel", operand: of, negated: false } as const;
    const before = isFree ? `${writeSearchText([channel], names)} ` : "";
    const term = textOf(start, { operator: "topic", operand: topic, negated: false }, names);
    return { about: { kind: "topic", channelId: of, topic }, text: `${before}${term} ` };
  });
}

function channelIn(narrow: readonly Term[]): number | undefined {
  for (const term of narrow) if (term.operator === "channel" && !term.negated) return term.operand;
  return undefined;
}

/** A term as text, with the operator name that was typed. */
const textOf = (start: string, term: Term, names: PeopleNames): string =>
  start + writeSearchText([term], names).slice(term.operator.length + 1);
