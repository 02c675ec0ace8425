import { type Narrow, type Operator, operatorOf, readFragment, readId, type Term } from "./narrow";
import type { PeopleNames } from "./people-names";
import { readOnePerson, readPeopleList, writePerson } from "./people-names";
import { hasCurlyQuotes, quoted, type Token, tokensOf, wordsIn } from "./search-tokens";

/** The operands of operators that have a fixed list of them. */
export const choices = {
  is: ["unread", "mentioned", "starred", "followed", "dm", "alerted", "resolved", "muted"],
  has: ["link", "image", "attachment", "reaction"],
  in: ["home", "all"],
  channels: ["public", "web-public", "archived"],
} as const;

/** Why a part of a text is searched as words. */
type MisreadReason =
  | "noOperator"
  | "noOperand"
  | "noChannel"
  | "noPerson"
  | "severalPeople"
  | "noNumber"
  | "wordNegated";

/** A part of a text, as it was typed, that was not understood. */
export interface MisreadPart {
  readonly reason: MisreadReason;
  readonly typed: string;
}

interface SearchRead {
  readonly narrow: Narrow;
  /** Parts that are searched as words, although they look like something else. */
  readonly misread: readonly MisreadPart[];
}

/**
 * The narrow of a text such as `channel:design -is:resolved "two words" three`. Parts that are not
 * understood are searched as words. All words are in one term, the last one.
 */
export function readSearchText(text: string, names: PeopleNames): SearchRead {
  const terms: Term[] = [];
  const words: string[] = [];
  const misread: MisreadPart[] = [];
  for (const token of tokensOf(text)) {
    const read = readToken(token, names);
    if (typeof read === "object") terms.push(...read);
    else {
      words.push(writeWords(token.typed, names));
      if (read !== "words") misread.push({ reason: read, typed: token.typed });
    }
  }
  return { narrow: [...terms, ...searchTerms(words)], misread };
}

function searchTerms(words: readonly string[]): readonly Term[] {
  const operand = words.filter((word) => word !== "").join(" ");
  return operand === "" ? [] : [{ operator: "search", operand, negated: false }];
}

type Read = readonly Term[] | "words" | MisreadReason;

function readToken(token: Token, names: PeopleNames): Read {
  if (token.typed.startsWith("#narrow/")) return readFragment(token.typed, names) ?? "words";
  if (token.name === undefined) return token.isNegated ? "wordNegated" : "words";
  const operator = operatorOf(token.name.toLowerCase().replaceAll("_", "-"));
  // URLs, and words before a colon, are not operators.
  if (operator === undefined)
    return token.operand === "" || token.operand.startsWith("//") ? "words" : "noOperator";
  if (operator === "search") return "words";
  return token.operand === "" ? "noOperand" : readTerms(operator, token, names);
}

function readTerms(operator: Exclude<Operator, "search">, token: Token, names: PeopleNames): Read {
  const { isNegated: negated } = token;
  switch (operator) {
    case "channel": {
      const operand = readChannel(token, names);
      return operand === undefined ? "noChannel" : [{ operator, operand, negated }];
    }
    case "sender":
    case "mentions": {
      const operand = readOnePerson(token, names);
      return typeof operand === "string" ? operand : [{ operator, operand, negated }];
    }
    case "dm": {
      const operand = readPeopleList(token, names);
      return typeof operand === "string" ? operand : [{ operator, operand, negated }];
    }
    case "dm-including":
      return readIncluded(token, names);
    case "id":
    case "with":
    case "near": {
      const operand = readId(token.operand);
      return operand === undefined ? "noNumber" : [{ operator, operand, negated }];
    }
    case "topic":
      return [{ operator, operand: unquotedOf(token), negated }];
    default:
      return readChoice(operator, token);
  }
}

/**
 * Conversations that include all of some people: one term for each person. Several people cannot be
 * negated, because each negated term would exclude conversations by itself.
 */
function readIncluded(token: Token, names: PeopleNames): Read {
  const people = readPeopleList(token, names);
  if (typeof people === "string") return people;
  if (token.isNegated && people.length > 1) return "severalPeople";
  return people.map((operand) => ({
    operator: "dm-including" as const,
    operand,
    negated: token.isNegated,
  }));
}

/** Other spellings of operands that people type or that older clients use. */
const otherForms: Readonly<Record<string, string>> = {
  private: "dm",
  pm: "dm",
  links: "link",
  images: "image",
  attachments: "attachment",
  file: "attachment",
  files: "attachment",
  reactions: "reaction",
  mention: "mentioned",
};

function readChoice(operator: keyof typeof choices, token: Token): Read {
  const typed = unquotedOf(token).toLowerCase();
  const operand = Object.hasOwn(otherForms, typed) ? otherForms[typed] : typed;
  const choice = choices[operator].find((one) => one === operand);
  return choice === undefined
    ? "noOperand"
    : [{ operator, operand: choice, negated: token.isNegated }];
}

const unquotedOf = ({ operand, pieces: [piece], isOneQuoted }: Token): string =>
  isOneQuoted && piece ? piece.text : operand;

/** A channel by its name or id. A number in quotation marks is a name. */
function readChannel(token: Token, names: PeopleNames): number | undefined {
  const name = unquotedOf(token);
  const id = token.isOneQuoted ? undefined : readId(name);
  if (id !== undefined && names.channelName(id) !== undefined) return id;
  // Texts of other clients contain plus signs instead of blanks.
  return names.channelId(name) ?? names.channelId(name.replaceAll("+", " "));
}

/** The text of a narrow. Reading the text gives that narrow again. */
export const writeSearchText = (narrow: Narrow, names: PeopleNames): string =>
  narrow.map((term) => writeTerm(term, names)).join(" ");

function writeTerm(term: Term, names: PeopleNames): string {
  if (term.operator === "search") return writeWords(term.operand, names);
  return `${term.negated ? "-" : ""}${term.operator}:${writeOperand(term, names)}`;
}

function writeOperand(term: Exclude<Term, { operator: "search" }>, names: PeopleNames): string {
  switch (term.operator) {
    case "channel":
      return writeChannel(term.operand, names);
    case "sender":
    case "mentions":
    case "dm-including":
      return writePerson(term.operand, names);
    case "dm":
      return term.operand.map((id) => writePerson(id, names)).join();
    case "topic":
      return quoted(term.operand, /^[^\s"\\]+$/u);
    default:
      return String(term.operand);
  }
}

function writeChannel(id: number, names: PeopleNames): string {
  const name = names.channelName(id);
  return name !== undefined && names.channelId(name) === id
    ? quoted(name, /^(?!\d+$)[^\s"\\+]+$/u)
    : String(id);
}

/** The words of a search, in quotation marks if they would be read as something else. */
const writeWords = (operand: string, names: PeopleNames): string =>
  wordsIn(operand)
    .map((word) => (isWord(word, names) ? word : `"${word}"`))
    .join(" ");

function isWord(word: string, names: PeopleNames): boolean {
  if (hasCurlyQuotes(word)) return false;
  const [token, ...more] = tokensOf(word);
  return token !== undefined && more.length === 0 && typeof readToken(token, names) === "string";
}
