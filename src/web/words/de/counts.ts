export const plural = new Intl.PluralRules("de");
export const list = new Intl.ListFormat("de");

const numbers = new Intl.NumberFormat("de");

/** A number with its digits in groups, because long numbers are hard to read without. */
export const grouped = (number: number): string => numbers.format(number);

export const messages = (count: number): string =>
  plural.select(count) === "one" ? "1 Nachricht" : `${grouped(count)} Nachrichten`;

export const conversationsOf = (count: number): string =>
  plural.select(count) === "one" ? "1 Unterhaltung" : `${grouped(count)} Unterhaltungen`;

export const characters = (count: number): string => `${grouped(count)} Zeichen`;
