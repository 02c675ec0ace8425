import type { Language } from "../language";

/** HTML that is safe to send: made by `html` only. */
export class Html {
  constructor(readonly text: string) {}
}

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text escaped for HTML, between tags or in a quoted attribute. */
export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");

/** HTML as a template: values are escaped, except `Html`. */
export function html(strings: TemplateStringsArray, ...values: readonly (Html | string)[]): Html {
  const parts = values.map((value) => (value instanceof Html ? value.text : escapeHtml(value)));
  return new Html(strings.map((text, index) => text + (parts[index] ?? "")).join(""));
}

/** A whole page with the styles of the server's pages. */
export const htmlPage = (title: string, main: Html, language: Language): Html =>
  html`<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>${styles}${mark}<main>${main}</main></html>`;

/** The look of the web client, and what the pages that the server draws add to it. */
const styles = html`<link rel="stylesheet" href="/static/look/tokens.css"><link rel="stylesheet" href="/static/look/base.css"><link rel="stylesheet" href="/static/style.css">`;

/** A speech bubble: a decoration, hidden from screen readers. */
const mark = html`<div class="mark"><svg aria-hidden="true" viewBox="0 0 20 20"><path d="M4 4.5h12v9H9l-3.5 3v-3H4z"/></svg></div>`;
