import { type Locale, timeText } from "../../core/language";
import { type Html, Html as HtmlText, html } from "../../core/text/html";
import { withLocalAddresses } from "./addresses";
import type { NewFolder } from "./folder";
import type { ReadableForm } from "./form";
import type { Directory, ReadableMessage, ReadablePlace } from "./read";
import { searchScript } from "./search";
import { readableWords } from "./words";

/** Number of messages on one page. A browser opens a page of this size at once. */
const perPage = 1_000;

interface Wanted {
  folder: NewFolder;
  title: string;
  /** Address of the server, for links to pages that only the server has. */
  site: string;
  locale: Locale;
}

const pageName = (key: string, number: number) => `messages/${key}-${number}.html`;

/**
 * An organization as HTML pages: an overview with a search, and pages for each channel and
 * conversation.
 */
export function pagesForm(wanted: Wanted): ReadableForm {
  const { folder, locale } = wanted;
  const words = readableWords(locale.language);
  const counts = new Map<string, number>();
  let searchFiles = 0;
  return {
    begin: async () => undefined,
    async add(messages) {
      const texts = new Map<string, string>();
      const found: unknown[] = [];
      for (const message of messages) {
        const { place } = message;
        const count = counts.get(place.key) ?? 0;
        counts.set(place.key, count + 1);
        const number = Math.floor(count / perPage) + 1;
        const name = pageName(place.key, number);
        const isNew = count % perPage === 0;
        if (isNew && number > 1) {
          const last = pageName(place.key, number - 1);
          texts.set(last, `${texts.get(last) ?? ""}${linkTo(place, number, words.later).text}`);
        }
        const before = isNew ? headOf(wanted, place, number).text : (texts.get(name) ?? "");
        texts.set(name, before + messageHtml(wanted, message).text);
        found.push(searchEntry(message, name));
      }
      for (const [name, text] of texts) await folder.append(name, text);
      searchFiles += 1;
      await folder.append(`search/${searchFiles}.js`, `found(${JSON.stringify(found)});\n`);
    },
    end: (directory) =>
      folder.append("index.html", overview(wanted, directory, { counts, searchFiles }).text),
  };
}

const linkTo = ({ key }: ReadablePlace, number: number, text: string): Html =>
  html`<p><a href="${key}-${String(number)}.html">${text}</a></p>`;

/** Style of the pages. Colours follow the reader's browser, light or dark. */
const style = html`<style>:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:50rem;margin:auto;padding:1rem}article{border-top:1px solid;padding:.5rem 0;overflow-wrap:break-word}article:target{outline:2px solid}img,video{max-width:100%;max-height:30rem}pre{overflow:auto}input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem}footer,time{font-size:.875em}.emoji{height:1.3em}</style>`;

/** Head of a page. Its policy forbids scripts on pages that contain texts of people. */
const headOf = ({ title, locale }: Wanted, place: ReadablePlace, number: number): Html => {
  const words = readableWords(locale.language);
  return html`<!doctype html><html lang="${words.tag}"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="script-src 'none'; object-src 'none'"><meta name="viewport" content="width=device-width"><title>${place.title} – ${title}</title>${style}
<p><a href="../index.html">${words.overview}</a></p><h1>${place.title}</h1>
${number > 1 ? linkTo(place, number - 1, words.earlier) : ""}`;
};

function messageHtml({ site, locale }: Wanted, message: ReadableMessage): Html {
  const { id, topic, sender, sentAt, lastEditedAt, reactions } = message;
  const content = new HtmlText(withLocalAddresses(message.html, "../", site));
  const edited = lastEditedAt === null ? "" : ` (${readableWords(locale.language).edited})`;
  const reacted = [...Map.groupBy(reactions, ({ emoji }) => emoji)]
    .map(([emoji, those]) => `:${emoji}: ${those.map(({ name }) => name).join(", ")}`)
    .join(" · ");
  return html`<article id="m${String(id)}"><header><b>${sender.name}</b> ${topic === "" ? "" : `› ${topic} `}<time datetime="${new Date(sentAt * 1_000).toISOString()}">${timeText(sentAt, locale)}${edited}</time></header>${content}${reacted === "" ? "" : html`<footer>${reacted}</footer>`}</article>
`;
}

const searchEntry = ({ id, place, topic, sender, content }: ReadableMessage, page: string) => [
  `${page}#m${id}`,
  [place.title, topic].filter(Boolean).join(" › "),
  sender.name,
  content,
];

function overview(
  { title, locale }: Wanted,
  { channels, conversations }: Directory,
  { counts, searchFiles }: { counts: ReadonlyMap<string, number>; searchFiles: number },
): Html {
  const words = readableWords(locale.language);
  const listOf = (places: Iterable<ReadablePlace>) =>
    [...places]
      .filter(({ key }) => counts.has(key))
      .map(
        ({ key, title: name }) =>
          html`<li><a href="${pageName(key, 1)}">${name}</a> (${words.messages(counts.get(key) ?? 0)})`,
      );
  const list = (places: Iterable<ReadablePlace>) =>
    new HtmlText(
      listOf(places)
        .map(({ text }) => text)
        .join("\n"),
    );
  return html`<!doctype html><html lang="${words.tag}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>${style}
<h1>${title}</h1>
<p><input id="search" type="search" aria-label="${words.search}" placeholder="${words.search}" data-files="${String(searchFiles)}" data-nothing="${words.nothing}" data-more="${words.more}"></p><div id="results" aria-live="polite"></div>
<h2>${words.channels}</h2><ul>${list(channels.values())}</ul>
<h2>${words.direct}</h2><ul>${list(conversations.values())}</ul>
<script>${new HtmlText(searchScript)}</script>
`;
}
