export const plural = new Intl.PluralRules("en");
export const list = new Intl.ListFormat("en");

export const messages = (count: number): string =>
  plural.select(count) === "one" ? "1 message" : `${count} messages`;

export const conversationsOf = (count: number): string =>
  plural.select(count) === "one" ? "1 conversation" : `${count} conversations`;

export const characters = (count: number): string =>
  plural.select(count) === "one" ? "1 character" : `${count} characters`;
