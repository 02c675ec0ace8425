import { badNarrow, badRequest, refusedFor } from "../../core/errors";
import { parsedAs } from "../../core/params";
import { mentionFlags, narrowOperators } from "../../protocol/narrow-operators";
import { emptyTopicDisplayName, isResolved } from "../../protocol/topics";

const isOperands = [
  "dm",
  "starred",
  "mentioned",
  "alerted",
  "unread",
  "resolved",
  "followed",
  "muted",
] as const;
const hasOperands = ["link", "image", "attachment", "reaction"] as const;
const inOperands = ["home", "all"] as const;
const channelsOperands = ["public", "archived", "web-public"] as const;

/**
 * One condition on messages, its operator by its current name. People and channels are given by id,
 * or by e-mail address or name; the reader of the term checks whether they exist. `near` only tells
 * a client where to scroll: it narrows nothing.
 */
export type NarrowTerm = { negated: boolean } & (
  | { operator: "channel"; operand: string | number }
  | { operator: "channels"; operand: (typeof channelsOperands)[number] }
  | { operator: "topic"; operand: string }
  | { operator: "dm" | "dm-including"; operand: (string | number)[] }
  | { operator: "sender" | "mentions"; operand: string | number }
  | { operator: "id" | "with"; operand: number }
  | { operator: "near"; operand: string }
  | { operator: "is"; operand: (typeof isOperands)[number] }
  | { operator: "has"; operand: (typeof hasOperands)[number] }
  | { operator: "in"; operand: (typeof inOperands)[number] }
  | { operator: "search"; operand: string }
);
type NarrowOperator = NarrowTerm["operator"];

type Condition = NarrowTerm extends infer Term
  ? Term extends NarrowTerm
    ? Omit<Term, "negated">
    : never
  : never;

const termsMax = 100;
const operandLengthMax = 10_000;
const peopleMax = 1000;

/** Operators by every name that clients send. */
const operators: Record<string, NarrowOperator> = {
  ...narrowOperators,
  // Older clients send the forms with underscores, for example zulip-term 0.7.0.
  pm_with: "dm",
  dm_including: "dm-including",
  group_pm_with: "dm-including",
};

/**
 * Parses a narrow in both forms that clients send: `[["stream", "general"], ["-topic", "lunch"]]`
 * and `[{"operator", "operand", "negated"}]`. Refuses other forms with BAD_REQUEST, and with
 * BAD_NARROW an unknown operator or operand and a narrow to channel and direct messages at once.
 */
export const parseNarrow = (json: unknown): NarrowTerm[] => parseTerms(readTerms(json));

/** A narrow as a parameter of an endpoint. */
export const narrow = () => parsedAs(parseNarrow);

/**
 * Parses the narrow of an event queue. A queue sees only the message: channel, topic, sender, and
 * the `is` operands of its flags and its topic. Another `is` narrows nothing, as in the reference
 * server; other operators are refused with BAD_REQUEST.
 */
export function parseEventNarrow(json: unknown): NarrowTerm[] {
  const terms = parseTerms(readTerms(json).filter((term) => !isUntoldState(term)));
  const unsupported = terms.find(({ operator }) => !eventOperators.has(operator));
  if (unsupported)
    throw badRequest(`An event queue cannot be narrowed by '${unsupported.operator}'.`);
  return terms;
}

const eventOperators = new Set<NarrowOperator>(["channel", "topic", "sender", "is"]);

/**
 * Operands of `is` that the message alone does not answer: they depend on the reader's policy for
 * its topic, or belong to a later version.
 */
const isUntoldState = ({ operator, operand }: RawTerm): boolean =>
  operator === "is" && typeof operand === "string" && !eventStates.has(operand);

const eventStates = new Set<string>([
  "private",
  ...isOperands.filter((state) => state !== "followed" && state !== "muted"),
]);

/** A term as the client wrote it: its operator without the dash of negation. */
interface RawTerm {
  operator: string;
  operand: unknown;
  negated: boolean;
}

function readTerms(json: unknown): RawTerm[] {
  if (!Array.isArray(json)) throw badRequest("A narrow is a list of terms.");
  if (json.length > termsMax) throw badRequest(`A narrow has at most ${termsMax} terms.`);
  return json.map((term) => {
    const { name, operand, negated } = Array.isArray(term) ? readPair(term) : readObject(term);
    const isDashed = name.startsWith("-");
    return { operator: isDashed ? name.slice(1) : name, operand, negated: isDashed || negated };
  });
}

function parseTerms(raw: RawTerm[]): NarrowTerm[] {
  const terms = raw.map(parseTerm);
  refuseChannelAndDirect(terms);
  return terms;
}

function parseTerm({ operator: name, operand, negated }: RawTerm): NarrowTerm {
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator === undefined) return refuseUnknownOperator(operand);
  return { ...parseCondition(operator, operand), negated };
}

function readPair(pair: unknown[]) {
  const [name, operand] = pair;
  if (pair.length !== 2 || typeof name !== "string")
    throw badRequest("A term of a narrow is a pair: operator, operand.");
  return { name, operand, negated: false };
}

function readObject(term: unknown) {
  if (typeof term !== "object" || term === null || !("operator" in term) || !("operand" in term))
    throw badRequest("A term of a narrow has an operator and an operand.");
  const { operator, operand } = term;
  const negated = "negated" in term ? term.negated : false;
  if (typeof operator !== "string") throw badRequest("The operator of a narrow is a string.");
  if (typeof negated !== "boolean") throw badRequest("'negated' of a narrow is true or false.");
  return { name: operator, operand, negated };
}

function refuseUnknownOperator(operand: unknown): never {
  if (typeof operand !== "string") throw badRequest("The operand of this narrow is a string.");
  throw badNarrow("unknown operator");
}

function parseCondition(operator: NarrowOperator, operand: unknown): Condition {
  switch (operator) {
    case "channel":
    case "sender":
    case "mentions":
      return { operator, operand: readNameOrId(operand) };
    case "topic":
      return { operator, operand: readTopic(operand) };
    case "dm":
      return { operator, operand: readPeople(operand) };
    case "dm-including":
      return {
        operator,
        operand: typeof operand === "number" ? [readId(operand)] : readPeople(readString(operand)),
      };
    case "id":
    case "with":
      return { operator, operand: readMessageId(operand) };
    case "near":
      return { operator, operand: readString(operand) };
    case "search":
      return { operator, operand: readSearch(operand) };
    case "is":
      return { operator, operand: readChoice(operand === "private" ? "dm" : operand, isOperands) };
    case "has":
      return { operator, operand: readChoice(operand, hasOperands) };
    case "in":
      return { operator, operand: readChoice(operand, inOperands) };
    case "channels":
      return { operator, operand: readChoice(operand, channelsOperands) };
  }
}

function readString(operand: unknown): string {
  if (typeof operand !== "string") throw badRequest("The operand of this narrow is a string.");
  if (operand.length > operandLengthMax)
    throw refusedFor(
      "search-long",
      `The operand of a narrow can have at most ${operandLengthMax} characters.`,
      String(operandLengthMax),
    );
  return operand;
}

function readNameOrId(operand: unknown): string | number {
  return typeof operand === "number" ? readId(operand) : readString(operand);
}

function readId(operand: number): number {
  if (!Number.isInteger(operand)) throw badRequest("An ID in a narrow is an integer.");
  if (operand < 0 || !Number.isSafeInteger(operand)) throw badNarrow("invalid ID");
  return operand;
}

function readMessageId(operand: unknown): number {
  if (typeof operand === "number") return readId(operand);
  const digits = readString(operand);
  if (!/^\d{1,16}$/.test(digits)) throw badNarrow("invalid message ID");
  return readId(Number(digits));
}

function readTopic(operand: unknown): string {
  const topic = readString(operand);
  return topic === emptyTopicDisplayName ? "" : topic;
}

function readSearch(operand: unknown): string {
  const words = readString(operand);
  if (words.trim() === "") throw badRequest("The operand of a search cannot be empty.");
  return words;
}

/** "a@example.com, b@example.com", or a list of ids and addresses, which may be empty. */
function readPeople(operand: unknown): (string | number)[] {
  if (typeof operand !== "string" && !Array.isArray(operand)) {
    throw badRequest("The operand of this narrow is a list of people.");
  }
  const people = typeof operand === "string" ? readAddresses(operand) : operand.map(readNameOrId);
  if (people.length > peopleMax) throw badRequest(`A narrow names at most ${peopleMax} people.`);
  return people;
}

function readAddresses(operand: string): string[] {
  const addresses = readString(operand).split(",");
  const named = addresses.map((address) => address.trim()).filter((address) => address !== "");
  if (named.length === 0) throw badNarrow("no user is named");
  return named;
}

function readChoice<Choice extends string>(operand: unknown, choices: readonly Choice[]): Choice {
  const wanted = readString(operand);
  const choice = choices.find((candidate) => candidate === wanted);
  if (choice === undefined) throw badNarrow(`the operand is one of ${choices.join(", ")}`);
  return choice;
}

function refuseChannelAndDirect(terms: readonly NarrowTerm[]) {
  const wanted = terms.filter((term) => !term.negated);
  if (wanted.some(asksForDirect) && wanted.some(asksForChannel))
    throw badNarrow("no message is both a channel message and a direct message");
}

const asksForDirect = (term: NarrowTerm) =>
  term.operator === "dm" ||
  term.operator === "dm-including" ||
  (term.operator === "is" && term.operand === "dm");

const asksForChannel = (term: NarrowTerm) =>
  term.operator === "channel" || term.operator === "channels" || term.operator === "topic";

/** Facts of a message that a queue's narrow depends on; flags are those of the queue's owner. */
export interface NarrowableMessage {
  type: "stream" | "private";
  channelName?: string;
  channelId?: number;
  topic: string;
  senderEmail: string;
  senderId: number;
  flags: readonly string[];
}

/** Makes a test whether a message matches a queue's terms; names are compared without case. */
export const matchesEventNarrow = (
  terms: readonly NarrowTerm[],
  message: NarrowableMessage,
): boolean => terms.every((term) => matchesTerm(term, message) !== term.negated);

function matchesTerm(term: NarrowTerm, message: NarrowableMessage): boolean {
  switch (term.operator) {
    case "channel":
      return (
        message.type === "stream" && isNamed(term.operand, message.channelName, message.channelId)
      );
    case "topic":
      return message.type === "stream" && isSameName(term.operand, message.topic);
    case "sender":
      return isNamed(term.operand, message.senderEmail, message.senderId);
    case "is":
      return isState(term.operand, message);
    default:
      return false;
  }
}

const isNamed = (operand: string | number, name: string | undefined, id: number | undefined) =>
  typeof operand === "number" ? operand === id : name !== undefined && isSameName(operand, name);

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function isState(state: (typeof isOperands)[number], message: NarrowableMessage): boolean {
  switch (state) {
    case "dm":
      return message.type === "private";
    case "starred":
      return message.flags.includes("starred");
    case "mentioned":
      return mentionFlags.some((flag) => message.flags.includes(flag));
    case "alerted":
      return message.flags.includes("has_alert_word");
    case "unread":
      return !message.flags.includes("read");
    case "resolved":
      return message.type === "stream" && isResolved(message.topic);
    default:
      return false;
  }
}
