export const plural = new Intl.PluralRules("en");
export const list = new Intl.ListFormat("en");

const numbers = new Intl.NumberFormat("en");

/** A number with its digits in groups, because long numbers are hard to read without. */
export const grouped = (number: number): string => numbers.format(number);

export const messages = (count: number): string =>
  plural.select(count) === "one" ? "1 message" : `${grouped(count)} messages`;

export const conversationsOf = (count: number): string =>
  plural.select(count) === "one" ? "1 conversation" : `${grouped(count)} conversations`;

export const characters = (count: number): string =>
  plural.select(count) === "one" ? "1 character" : `${grouped(count)} characters`;
