import { encodePart } from "../../protocol/narrow-links";
import { mentionFlags, narrowOperators } from "../../protocol/narrow-operators";
import { resolvedPrefix, topicPolicies } from "../../protocol/topics";
import { isSubscribed } from "./channels";
import { directKey, peopleOf } from "./conversations";
import type { FlaggedMessage } from "./message";
import type { Model } from "./snapshot";
import { isMuted } from "./unread";
import { policyOf } from "./user-topics";
import type { Message } from "./wire";

type Name = keyof typeof narrowOperators;
export type Operator = (typeof narrowOperators)[Name];

type IdOperator = "channel" | "sender" | "mentions" | "dm-including" | "id" | "with" | "near";
type WordOperator = Exclude<Operator, IdOperator | "dm">;

/** One condition for messages. Channels, people and messages are given by id. */
export type Term = { readonly negated: boolean } & (
  | { readonly operator: IdOperator; readonly operand: number }
  | { readonly operator: "dm"; readonly operand: readonly number[] }
  | { readonly operator: WordOperator; readonly operand: string }
);

/** Conditions that must all be true. Without conditions, it contains all messages. */
export type Narrow = readonly Term[];

/** Names that are needed to read and write links. */
export interface Names {
  channelName(id: number): string | undefined;
  /** The id of the channel with a name, for old links that contain no ids. */
  channelId(name: string): number | undefined;
  personName(id: number): string | undefined;
  /** The id of the person with an e-mail address; the reader's own id for `me`. */
  personId(email: string): number | undefined;
}

const start = "#narrow/";

/**
 * The narrow of a fragment, in the current or an older form; undefined if it is not a narrow, or
 * names something unknown.
 */
export function readFragment(fragment: string, names: Names): Narrow | undefined {
  const path = fragment.startsWith("#") ? fragment : `#${fragment}`;
  if (!path.startsWith(start)) return undefined;
  const parts = path.slice(start.length).replace(/\/$/, "").split("/");
  // An empty operand at the end is the empty topic.
  if (parts.length % 2 === 1) parts.push("");
  const terms = parts.flatMap((part, index) => {
    if (index % 2 === 1) return [];
    const name = decode(part);
    const operand = decodeOperand(name, parts[index + 1] ?? "");
    return name === undefined || operand === undefined
      ? [undefined]
      : readTerms(name, operand, names);
  });
  const read = terms.filter((term) => term !== undefined);
  return read.length === terms.length ? read : undefined;
}

/**
 * The terms of one operator of a fragment. There are several if the operator stands for several
 * conditions.
 */
function readTerms(name: string, text: string, names: Names): readonly (Term | undefined)[] {
  const negated = name.startsWith("-");
  const operator = operatorOf(negated ? name.slice(1) : name);
  const people = operator === "dm-including" ? (readPeople(text, names) ?? []) : [];
  // A conversation includes all of some people if it includes each of them.
  return people.length > 1 && !negated
    ? people.map((operand) => ({ operator: "dm-including" as const, operand, negated }))
    : [readTerm(operator, text, { negated, names })];
}

function readTerm(
  operator: Operator | undefined,
  text: string,
  { negated, names }: { negated: boolean; names: Names },
): Term | undefined {
  switch (operator) {
    case undefined:
      return undefined;
    case "channel":
      return withId(operator, readChannel(text, names), negated);
    case "sender":
    case "mentions":
    case "dm-including":
      return withId(operator, readPerson(text, names), negated);
    case "id":
    case "with":
    case "near":
      return withId(operator, readId(text), negated);
    case "dm": {
      const operand = readPeople(text, names);
      return operand && { operator, operand, negated };
    }
    case "is":
      return { operator, operand: text === "private" ? "dm" : text, negated };
    default:
      return { operator, operand: text, negated };
  }
}

const isName = (name: string): name is Name => Object.hasOwn(narrowOperators, name);

/** The operator with a name, for any of its names. */
export const operatorOf = (name: string): Operator | undefined =>
  isName(name) ? narrowOperators[name] : undefined;

const withId = (
  operator: IdOperator,
  operand: number | undefined,
  negated: boolean,
): Term | undefined => (operand === undefined ? undefined : { operator, operand, negated });

/** A number as it is written in links and texts. */
export const readId = (text: string): number | undefined =>
  /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** A channel: `7-general`, `7`, or in old links only its name, which may begin with a number. */
function readChannel(text: string, names: Names): number | undefined {
  const named = names.channelId(text) ?? names.channelId(text.replaceAll("-", " "));
  const id = readId(/^(\d+)(-|$)/.exec(text)?.[1] ?? "");
  if (id !== undefined && (named === undefined || names.channelName(id) !== undefined)) return id;
  return named;
}

/** People: `9-Bob`, `9,12-group`, `9,12`, or in old links e-mail addresses separated by commas. */
function readPeople(text: string, names: Names): readonly number[] | undefined {
  const ids = /^(\d+(?:,\d+)*)(?:-|$)/.exec(text)?.[1];
  const found = ids
    ? ids.split(",").map(readId)
    : text.split(",").map((email) => names.personId(email.trim()));
  const people = found.filter((id) => id !== undefined);
  if (people.length !== found.length) return undefined;
  return [...new Set(people)].sort((a, b) => a - b);
}

/** One person; the first if several are given. */
const readPerson = (text: string, names: Names): number | undefined => readPeople(text, names)?.[0];

/**
 * A decoded part of a fragment: `.XX` stands for a byte, like `%XX`. Undefined if it is malformed.
 */
function decode(part: string): string | undefined {
  const escaped = part.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/\.(?=[0-9a-f]{2})/gi, "%");
  try {
    return decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}

/** In links, plus signs stand for blanks only in the operand of a search. */
const decodeOperand = (name: string | undefined, part: string): string | undefined =>
  decode(/^-?search$/.test(name ?? "") ? part.replaceAll("+", " ") : part);

/** A name after an id in a fragment, for human readers. */
const slug = (name: string | undefined, otherwise: string): string =>
  encodePart((name ?? otherwise).replace(/[ %/<>`\p{C}]+/gu, "-"));

/** The fragment of a narrow, in the current form. */
export function writeFragment(narrow: Narrow, names: Names): string {
  if (narrow.length === 0) return "#feed";
  const parts = narrow.map(
    (term) => `${term.negated ? "-" : ""}${term.operator}/${writeOperand(term, names)}`,
  );
  return start + parts.join("/");
}

function writeOperand(term: Term, names: Names): string {
  switch (term.operator) {
    case "channel":
      return `${term.operand}-${slug(names.channelName(term.operand), "channel")}`;
    case "sender":
    case "mentions":
    case "dm-including":
      return `${term.operand}-${slug(names.personName(term.operand), "user")}`;
    case "dm": {
      const [only = 0] = term.operand;
      const name = term.operand.length === 1 ? names.personName(only) : "group";
      return `${term.operand.join()}-${slug(name, "user")}`;
    }
    case "id":
    case "with":
    case "near":
      return String(term.operand);
    default:
      return encodePart(term.operand);
  }
}

/** A narrow in the form of the API's parameter. */
export const narrowParameter = (narrow: Narrow) =>
  narrow.map(({ operator, operand, negated }) => ({
    operator,
    operand: operator === "near" ? String(operand) : operand,
    negated,
  }));

/**
 * Facts about a message, outside of the message itself, that decide whether it belongs to a narrow.
 */
interface MessageFacts {
  /** The person's flags for the message. */
  readonly flags: readonly string[];
  /** The id of the person. */
  readonly me: number;
  /** The person's policy for the topic: one of `topicPolicies`. */
  readonly policy: number;
  /** Whether the message's topic is muted, by itself or with its channel. */
  readonly isMuted: boolean;
}

/** The facts of a loaded message. */
export function factsOf(model: Model, message: FlaggedMessage): MessageFacts {
  const { flags, stream_id: channelId, subject } = message;
  if (channelId === undefined)
    return { flags, me: model.me, policy: topicPolicies.inherit, isMuted: false };
  const policy = policyOf(model.userTopics, channelId, subject);
  // A channel that the person has left no longer mutes its topics, but their policies for topics
  // still apply.
  const isHeld = policy !== topicPolicies.inherit || isSubscribed(model.channels, channelId);
  return { flags, me: model.me, policy, isMuted: isHeld && isMuted(model, channelId, subject) };
}

/**
 * Whether a message belongs to a narrow; undefined if only the server can decide it, because it
 * needs a search or facts that the message does not contain.
 */
export function belongs(
  message: Message,
  narrow: Narrow,
  facts: MessageFacts,
): boolean | undefined {
  const answers = narrow.map((term) => {
    const isSo = fits(message, term, facts);
    // A search is never negated.
    return term.negated && isSo !== undefined && term.operator !== "search" ? !isSo : isSo;
  });
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

function fits(message: Message, term: Term, facts: MessageFacts): boolean | undefined {
  switch (term.operator) {
    case "channel":
      return message.stream_id === term.operand;
    case "topic":
      return (
        message.stream_id !== undefined &&
        message.subject.toLowerCase() === term.operand.toLowerCase()
      );
    case "sender":
      return message.sender_id === term.operand;
    case "dm":
      return message.type === "private" && isWith(message, term.operand, facts.me);
    case "dm-including":
      return message.type === "private" && [...peopleOf(message), facts.me].includes(term.operand);
    case "id":
      return message.id === term.operand;
    case "near":
      return true;
    case "is":
      return hasState(message, term.operand, facts);
    case "has":
      return hasPart(message, term.operand);
    case "in":
      return term.operand === "all" || !facts.isMuted;
    default:
      return undefined;
  }
}

/** Whether a direct message belongs to the conversation of exactly these people. */
const isWith = (message: Message, people: readonly number[], me: number): boolean =>
  people.length > 0 && directKey(people, me) === directKey(peopleOf(message), me);

function hasState(
  message: Message,
  state: string,
  { flags, policy, isMuted }: MessageFacts,
): boolean | undefined {
  switch (state) {
    case "dm":
      return message.type === "private";
    case "starred":
      return flags.includes("starred");
    case "mentioned":
      return mentionFlags.some((flag) => flags.includes(flag));
    case "alerted":
      return flags.includes("has_alert_word");
    case "unread":
      return !flags.includes("read");
    case "resolved":
      return message.type === "stream" && message.subject.startsWith(resolvedPrefix);
    case "followed":
      return message.type === "stream" && policy === topicPolicies.followed;
    case "muted":
      return isMuted;
    default:
      return undefined;
  }
}

/** Of the parts of a message, only reactions can be seen without its HTML. */
const hasPart = ({ reactions }: Message, part: string): boolean | undefined =>
  part === "reaction" ? reactions.length > 0 : undefined;
