import type { Language } from "../core/language";
import { Html, html } from "../core/text/html";
import { onOneLine } from "../core/text/unprintable";

/** A part of a letter, which appears in both plain text and HTML. */
export type Block =
  | { kind: "text"; text: string }
  /** A link: a button in HTML, the bare address in plain text. */
  | { kind: "link"; label: string; url: string }
  /** Text of a person: as Markdown in plain text, rendered in HTML. */
  | { kind: "quote"; from: string; text: string; html: Html }
  /** Small print at the end. */
  | { kind: "note"; text: string; link?: { label: string; url: string } };

export const paragraph = (text: string): Block => ({ kind: "text", text });
export const link = (label: string, url: string): Block => ({ kind: "link", label, url });
export const note = (text: string, to?: { label: string; url: string }): Block => ({
  kind: "note",
  text,
  ...(to && { link: to }),
});

const headerLengthMax = 200;

/** A text for a header: one short line that cannot begin another header (RFC 5322, 2.2). */
export const headerText = (text: string): string =>
  onOneLine(text.toWellFormed()).trim().slice(0, headerLengthMax).toWellFormed();

/** A letter in plain text. */
export const textOf = (blocks: readonly Block[]): string => blocks.map(plain).join("\n\n");

function plain(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "link":
      return `${block.label}:\n${block.url}`;
    case "quote":
      return `${block.from}:\n${block.text
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n")}`;
    case "note":
      return `-- \n${block.text}${block.link === undefined ? "" : `\n${block.link.label}: ${block.link.url}`}`;
  }
}

/** HTML of the blocks: everything except `Html` is escaped. It loads nothing from outside. */
export const htmlOf = (blocks: readonly Block[], language: Language): string =>
  html`<!doctype html><html lang="${language}"><meta charset="utf-8"><body style="${bodyStyle}">${joined(blocks.map(shown))}</body></html>`
    .text;

const bodyStyle =
  "font:16px/1.5 sans-serif;color:#222;max-width:36em;margin:1em auto;padding:0 1em";
const buttonStyle =
  "display:inline-block;padding:.5em 1em;background:#2456a4;color:#fff;text-decoration:none;border-radius:4px";
const quoteStyle = "margin:0;padding-left:1em;border-left:3px solid #ccc";

function shown(block: Block): Html {
  switch (block.kind) {
    case "text":
      return html`<p style="white-space:pre-line">${block.text}</p>`;
    case "link":
      return html`<p><a href="${block.url}" style="${buttonStyle}">${block.label}</a></p>
<p style="font-size:13px;color:#666">${block.url}</p>`;
    case "quote":
      return html`<p><b>${block.from}</b></p><blockquote style="${quoteStyle}">${block.html}</blockquote>`;
    case "note":
      return html`<hr><p style="font-size:13px;color:#666">${block.text}${noteLink(block.link)}</p>`;
  }
}

const noteLink = (to: { label: string; url: string } | undefined): Html =>
  to === undefined ? html`` : html` <a href="${to.url}">${to.label}</a>`;

const joined = (parts: readonly Html[]): Html => new Html(parts.map(({ text }) => text).join("\n"));
