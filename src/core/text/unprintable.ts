/** Control characters, lone surrogates, line and paragraph separators. */
const controls = String.raw`\p{Cc}\p{Cs}\p{Zl}\p{Zp}`;
/** Characters without width that change the direction of text, and byte order marks. */
const marks = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff`;

/** Characters that no single line needs, and that whoever shows it may obey. */
export const unprintable = new RegExp(`[${controls}${marks}]`, "gu");

const anyControl = new RegExp(`[${controls}]`, "u");
const controlRuns = new RegExp(`[${controls}]+`, "gu");
const allMarks = new RegExp(`[${marks}]`, "gu");

export const hasControls = (text: string): boolean => anyControl.test(text);

/** A text on one line: without marks, and with a space in place of each run of controls. */
export const onOneLine = (text: string): string =>
  text.replace(allMarks, "").replace(controlRuns, " ");
