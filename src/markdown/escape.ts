const ampersand = /&(?!(?:#\d+|#x[0-9a-f]+|[0-9a-z]+);)/gi;

/** In text, quotes and entities of the author are kept, because neither can open a tag. */
export const escapeText = (text: string) =>
  text.replace(ampersand, "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Code is shown exactly as typed, including entities. */
export const escapeCode = (code: string) =>
  code.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The value of an attribute, for double quotes. */
export const escapeAttribute = (value: string) => escapeCode(value).replaceAll('"', "&quot;");
