const ampersand = /&(?!(?:#\d+|#x[0-9a-f]+|[0-9a-z]+);)/gi;

/**
 * In text a quote is a quote, and what the author wrote as an entity stays that entity: neither can
 * open a tag.
 */
export const escapeText = (text: string) =>
  text.replace(ampersand, "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Code is shown as it was typed, entities too. */
export const escapeCode = (code: string) =>
  code.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The value of an attribute, to stand between double quotes. */
export const escapeAttribute = (value: string) => escapeCode(value).replaceAll('"', "&quot;");
