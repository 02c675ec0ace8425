export const plural = new Intl.PluralRules("de");
export const list = new Intl.ListFormat("de");

export const messages = (count: number): string =>
  plural.select(count) === "one" ? "1 Nachricht" : `${count} Nachrichten`;

export const conversationsOf = (count: number): string =>
  plural.select(count) === "one" ? "1 Unterhaltung" : `${count} Unterhaltungen`;

export const characters = (count: number): string => `${count} Zeichen`;
