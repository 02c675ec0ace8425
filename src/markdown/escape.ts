const ampersand = /&(?!(?:#\d+|#x[0-9a-f]+|[0-9a-z]+);)/gi;

/** Escapes text. Quotes and entities of the author stay, because neither can open a tag. */
export const escapeText = (text: string) =>
  text.replace(ampersand, "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Escapes code, which is shown exactly as typed, including entities. */
export const escapeCode = (code: string) =>
  code.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Escapes the value of an attribute in double quotes. */
export const escapeAttribute = (value: string) => escapeCode(value).replaceAll('"', "&quot;");
