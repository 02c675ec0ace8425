/**
 * Characters that no single line needs, and that whoever shows it may obey: control characters,
 * lone surrogates, line and paragraph separators, byte order marks, and characters that change the
 * direction of text.
 */
export const unprintable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const runs = new RegExp(`(?:${unprintable.source})+`, "gu");

/** A text on one line, with a space in place of each run of unprintable characters. */
export const onOneLine = (text: string): string => text.replace(runs, " ");
