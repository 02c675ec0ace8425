import { characterOf } from "../model/emoji";
import { nameOfFile } from "../model/media";
import { placesToRun } from "../model/playgrounds";
import { moments } from "../store/moments";
import { groups, me, playgrounds, users } from "../store/state";
import { words } from "../words/words";

declare global {
  /** Trusted Types, if the browser supports them. Then only a policy can create HTML. */
  var trustedTypes:
    | {
        createPolicy<Rules extends Readonly<Record<string, (text: string) => string>>>(
          name: string,
          rules: Rules,
        ): { readonly [Name in keyof Rules]: (text: string) => unknown };
      }
    | undefined;
}

/**
 * The only place where text becomes HTML. The input is HTML from the clipboard or of a message
 * as the server has rendered it.
 */
const policy = globalThis.trustedTypes?.createPolicy("chatd-messages", {
  createHTML: (html) => html,
});

/** Shows a text in which the server has marked the words of a search. */
export function showMarked(element: HTMLElement, html: string): void {
  Reflect.set(element, "innerHTML", policy ? policy.createHTML(html) : html);
}

/** Shows the HTML of a message in an element. */
export function showContent(element: HTMLElement, html: string): void {
  showMarked(element, html);
  for (const emoji of element.querySelectorAll("span.emoji")) showEmoji(emoji);
  for (const time of element.querySelectorAll("time")) showTime(time);
  for (const link of element.querySelectorAll("a")) openBeside(link);
  for (const header of element.querySelectorAll(".spoiler-header")) makeSpoiler(header);
  for (const code of element.querySelectorAll("pre")) makeReachableSoon(code);
  for (const code of element.querySelectorAll<HTMLElement>(".codehilite")) offerTools(code);
  for (const mention of element.querySelectorAll<HTMLElement>(".user-mention"))
    mention.classList.toggle("mine", mention.dataset["userId"] === String(me.peek()));
  nameMentions(element);
  for (const mention of element.querySelectorAll(mentions)) makeButton(mention);
  for (const image of element.querySelectorAll("img")) reservePlace(image);
  for (const picture of element.querySelectorAll(pictures)) makeLarge(picture);
  for (const film of element.querySelectorAll("video")) playInRow(film);
  for (const cell of element.querySelectorAll("td, th"))
    cell.classList.toggle("short", (cell.textContent ?? "").length <= shortCellMax);
}

/** Length up to which the text of a cell keeps its line, such as a date, a price or a name. */
const shortCellMax = 20;

/**
 * Gives mentions the present names of people and groups. The HTML has their names from when it was
 * made.
 */
export function nameMentions(element: HTMLElement): void {
  const [people, all] = [users.value, groups.value];
  const named = element.querySelectorAll<HTMLElement>(".user-mention, .user-group-mention");
  for (const mention of named) {
    const { userId, userGroupId } = mention.dataset;
    const name = people.get(Number(userId))?.full_name ?? all.get(Number(userGroupId))?.name;
    // A mention of everybody names no person.
    if (name === undefined) continue;
    const shown = mention.classList.contains("silent") ? name : `@${name}`;
    // Words of a search may be marked in it.
    if (mention.textContent !== shown) mention.textContent = shown;
  }
}

/**
 * HTML from the clipboard or of a message as a separate document, in which nothing runs or is
 * loaded.
 */
export function parsePasted(html: string): Document {
  const parser = new DOMParser();
  const trusted = policy ? policy.createHTML(html) : html;
  const parsed: Document = Reflect.apply(parser.parseFromString, parser, [trusted, "text/html"]);
  return parsed;
}

/**
 * The text of rendered HTML in one line, for places where nothing can be formatted or pressed. A
 * formula is there once, and a picture is its description.
 */
export function textOfRendered(html: string): string {
  const { body } = parsePasted(html);
  for (const other of body.querySelectorAll(".katex-html, annotation")) other.remove();
  for (const image of body.querySelectorAll("img")) image.replaceWith(image.alt);
  for (const emoji of body.querySelectorAll("span.emoji")) showEmoji(emoji);
  return (body.textContent ?? "").replace(/\s+/g, " ").trim();
}

function showEmoji(emoji: Element): void {
  const code = /emoji-([0-9a-f-]+)/.exec(emoji.className)?.[1];
  if (code !== undefined) emoji.textContent = characterOf(code);
}

/** Shows a time from a message in the reader's time zone. */
function showTime(time: HTMLTimeElement): void {
  const date = new Date(time.dateTime);
  if (!Number.isNaN(date.getTime())) time.textContent = moments.peek().whole(date);
}

/**
 * Shows the times in loaded messages again, if the device's time zone or the chosen clock changes.
 */
export function renewTimes(feed: Element): void {
  void moments.value;
  for (const time of feed.querySelectorAll<HTMLTimeElement>(".rendered time")) showTime(time);
}

/** Links to conversations open in this page, all others in a new tab. */
function openBeside(link: HTMLAnchorElement): void {
  if (link.origin === location.origin && link.pathname === "/") return;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
}

/**
 * Mentions that open a card. A mention of everybody names no person, and in the header of a spoiler
 * it would be a button inside a button.
 */
const mentions =
  ":is(.user-mention:not([data-user-id='*']), .user-group-mention):not(.spoiler-header *)";

/** Makes a part of a message a button that the keyboard can reach. */
function makeButton(part: Element): void {
  part.setAttribute("role", "button");
  part.setAttribute("tabindex", "0");
}

/** Makes the header of a spoiler open and close it. */
function makeSpoiler(header: Element): void {
  makeButton(header);
  header.setAttribute("aria-expanded", "false");
  // A closed spoiler stays closed, because it hides other words too. Its style sheet draws the
  // note, because copies of the message hold only what its author wrote.
  if (header.nextElementSibling?.querySelector(".highlight"))
    header.setAttribute("data-found", words.foundInside);
}

/** Opens or closes the spoiler that was clicked, or at which a key was pressed. */
export function toggleSpoiler({ target }: Event): void {
  const header = target instanceof Element ? target.closest(".spoiler-header") : null;
  if (!header || (target instanceof Element && target.closest("a"))) return;
  const isOpen = header.getAttribute("aria-expanded") !== "true";
  header.setAttribute("aria-expanded", String(isOpen));
  header.nextElementSibling?.setAttribute("aria-hidden", String(!isOpen));
}

/** Code blocks that were drawn in this turn. */
let drawnCode: HTMLElement[] = [];

/**
 * Code that is too wide can be scrolled by keyboard too. Its width is read after all rows are
 * drawn, because each earlier read would force a new layout of all rows.
 */
function makeReachableSoon(code: HTMLElement): void {
  if (drawnCode.push(code) > 1) return;
  queueMicrotask(() => {
    const wide = drawnCode.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    for (const one of wide) one.tabIndex = 0;
    drawnCode = [];
  });
}

/** Reserves the place of a picture, so that rows do not move when it is loaded. */
function reservePlace(image: HTMLImageElement): void {
  const size = /^([1-9]\d*)x([1-9]\d*)$/.exec(image.dataset["originalDimensions"] ?? "");
  image.loading = "lazy";
  if (!size) return;
  const [, wide = "", high = ""] = size;
  image.classList.add("sized");
  image.style.setProperty("--wide", wide);
  image.style.setProperty("--high", high);
}

/** Pictures that open in the lightbox when they are pressed. */
const pictures = ".message_inline_image:not(.message_inline_video) a, img.inline-image";

/** Gives a picture a name, and lets the keyboard reach it. */
function makeLarge(picture: Element): void {
  const image = picture.matches("img") ? picture : picture.querySelector("img");
  const address = picture.getAttribute("href") ?? picture.getAttribute("data-original-src") ?? "";
  const name = picture.getAttribute("title") || image?.getAttribute("alt") || nameOfFile(address);
  image?.setAttribute("alt", name);
  if (image !== picture) return;
  makeButton(picture);
}

/** The picture at which somebody has clicked or pressed a key. */
export function pictureAt(event: MouseEvent | KeyboardEvent): Element | undefined {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  // With these keys a browser opens a link in another tab or window.
  if (!(target instanceof Element) || ctrlKey || metaKey || shiftKey) return undefined;
  return target.closest(pictures) ?? undefined;
}

/** A video plays in its row. Inside a link, its controls would open the link. */
function playInRow(film: HTMLVideoElement): void {
  const link = film.closest("a");
  film.controls = true;
  film.title = link?.title || nameOfFile(link?.getAttribute("href") ?? "");
  link?.replaceWith(film);
}

/** Adds a copy button to a code block, and links to playgrounds for its language. */
function offerTools(code: HTMLElement): void {
  const tools = document.createElement("div");
  const button = document.createElement("button");
  tools.className = "code-tools";
  button.type = "button";
  button.className = "copy chip";
  button.textContent = words.copyCode;
  const text = code.querySelector("code")?.textContent ?? "";
  const language = code.dataset["codeLanguage"];
  for (const { name, address } of placesToRun(playgrounds.peek(), language, text)) {
    const link = document.createElement("a");
    link.className = "chip";
    link.href = address;
    link.textContent = words.runIn(name);
    openBeside(link);
    tools.append(link);
  }
  tools.append(button);
  code.append(tools);
}
