/** One of the comma-separated parts of an operand. */
export interface Piece {
  readonly text: string;
  /** The position in the operand at which it begins. */
  readonly start: number;
  /** Whether it was in quotation marks. */
  readonly isQuoted: boolean;
}

/** A part of the text of a search: an operator with its operand, a word, or a phrase in quotes. */
export interface Token {
  /** The part as it was typed, with straight quotation marks in place of curly ones. */
  readonly typed: string;
  /** The positions in the text at which it begins and ends. */
  readonly from: number;
  readonly to: number;
  readonly isNegated: boolean;
  /** The name of the operator; undefined for words and phrases. */
  readonly name: string | undefined;
  /** The operand, with straight quotation marks in place of curly ones. */
  readonly operand: string;
  readonly pieces: readonly Piece[];
  /** Whether the whole operand is one text in quotation marks. */
  readonly isOneQuoted: boolean;
}

/*
 * Quotation marks that are not closed reach to the end, because a text is read while it is typed.
 * An operand may hold further ones behind a backslash; a phrase may not, because the server reads
 * it.
 */
const quotedOperand = String.raw`"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)`;
const operatorForm = new RegExp(
  String.raw`(?<sign>-?)(?<name>[a-z][a-z_-]*):(?<operand>(?:${quotedOperand}|[^\s"])*)`,
  "iuy",
);
const wordForm = /(?<sign>-?)(?:"[^"]*(?:"|$)|[^\s"]+)/uy;
const blanks = /\s*/uy;

/** Text in quotation marks, or one quotation mark of another form. */
const quotationMarks = new RegExp(String.raw`${quotedOperand}|[“”„‟«»]`, "gu");

/**
 * A text of equal length with straight quotation marks in place of curly ones, because phones and
 * word processors put those where people type straight ones. Inside straight ones they stay.
 */
const straightened = (text: string): string =>
  text.replaceAll(quotationMarks, (typed) => (typed.startsWith('"') ? typed : '"'));

/** Whether a text has curly quotation marks that would be read as straight ones. */
export const hasCurlyQuotes = (text: string): boolean => straightened(text) !== text;

/** The tokens of a search text, in order. */
export function tokensOf(given: string): readonly Token[] {
  const text = straightened(given);
  const tokens: Token[] = [];
  for (let from = after(blanks, text, 0); from < text.length; ) {
    const token = tokenAt(text, from);
    tokens.push(token);
    from = after(blanks, text, token.to);
  }
  return tokens;
}

function after(form: RegExp, text: string, from: number): number {
  form.lastIndex = from;
  return from + (form.exec(text)?.[0].length ?? 0);
}

function tokenAt(text: string, from: number): Token {
  const found = matchAt(operatorForm, text, from) ?? matchAt(wordForm, text, from);
  const typed = found?.[0] ?? text.slice(from);
  const { sign, name, operand = "" } = found?.groups ?? {};
  const pieces = name === undefined ? [] : piecesOf(operand);
  return {
    typed,
    from,
    to: from + typed.length,
    isNegated: sign === "-" && typed.length > 1,
    name,
    operand,
    pieces,
    isOneQuoted: pieces.length === 1 && pieces[0]?.isQuoted === true,
  };
}

function matchAt(form: RegExp, text: string, from: number): RegExpExecArray | null {
  form.lastIndex = from;
  return form.exec(text);
}

const pieceForm = new RegExp(String.raw`(?:${quotedOperand}|[^,])*`, "uy");
const wholeQuoted = new RegExp(`^${quotedOperand}$`, "u");

/** The parts of an operand between commas. Commas inside quotation marks do not separate. */
function piecesOf(operand: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let from = 0; from <= operand.length; ) {
    const to = after(pieceForm, operand, from);
    pieces.push({ ...pieceOf(operand.slice(from, to)), start: from });
    from = to + 1;
  }
  return pieces;
}

function pieceOf(typed: string): Omit<Piece, "start"> {
  if (!wholeQuoted.test(typed)) return { text: typed, isQuoted: false };
  const isClosed = /^"(?:[^"\\]|\\[\s\S])*"$/u.test(typed);
  const inside = isClosed ? typed.slice(1, -1) : typed.slice(1);
  return { text: inside.replaceAll(/\\([\s\S])/gu, "$1"), isQuoted: true };
}

/** A text as an operand, in quotation marks unless it matches a form that needs none. */
export const quoted = (text: string, plainForm: RegExp): string =>
  plainForm.test(text) && !hasCurlyQuotes(text)
    ? text
    : `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;

/**
 * The words and phrases of a search as the server reads them. A phrase without a closing quotation
 * mark ends at the end of the text.
 */
export function wordsIn(text: string): readonly string[] {
  return [...text.matchAll(/(-?)"([^"]*)(?:"|$)|[^\s"]+/gu)].flatMap(([word, sign, phrase]) => {
    if (phrase === undefined) return [word];
    return phrase.trim() === "" ? [] : [`${sign}"${phrase}"`];
  });
}
