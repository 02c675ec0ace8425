import { characterOf } from "../model/emoji";
import { nameOfFile } from "../model/media";
import { placesToRun } from "../model/playgrounds";
import { copyText } from "../parts/copying";
import { moments } from "../store/moments";
import { groups, me, playgrounds, users } from "../store/state";
import { words } from "../words/words";

declare global {
  /** Trusted Types, where the browser has them: HTML is then made by a policy alone. */
  var trustedTypes:
    | {
        createPolicy<Rules extends Readonly<Record<string, (text: string) => string>>>(
          name: string,
          rules: Rules,
        ): { readonly [Name in keyof Rules]: (text: string) => unknown };
      }
    | undefined;
}

/** The one place where text becomes HTML: messages as the server has rendered them. */
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
}

/** Gives mentions the names that people and groups have now; the HTML has those of when it was made. */
export function nameMentions(element: HTMLElement): void {
  const [people, all] = [users.value, groups.value];
  const named = element.querySelectorAll<HTMLElement>(".user-mention, .user-group-mention");
  for (const mention of named) {
    const { userId, userGroupId } = mention.dataset;
    const name = people.get(Number(userId))?.full_name ?? all.get(Number(userGroupId))?.name;
    // A mention of everybody names nobody.
    if (name === undefined) continue;
    const shown = mention.classList.contains("silent") ? name : `@${name}`;
    // Words of a search may be marked in it.
    if (mention.textContent !== shown) mention.textContent = shown;
  }
}

/** HTML from a clipboard as a document of its own: nothing in it runs or is loaded. */
export function parsePasted(html: string): Document {
  const parser = new DOMParser();
  const trusted = policy ? policy.createHTML(html) : html;
  const parsed: Document = Reflect.apply(parser.parseFromString, parser, [trusted, "text/html"]);
  return parsed;
}

function showEmoji(emoji: Element): void {
  const code = /emoji-([0-9a-f-]+)/.exec(emoji.className)?.[1];
  if (code !== undefined) emoji.textContent = characterOf(code);
}

/** A time that somebody wrote, in the zone of who reads it. */
function showTime(time: HTMLTimeElement): void {
  const date = new Date(time.dateTime);
  if (!Number.isNaN(date.getTime())) time.textContent = moments.peek().whole(date);
}

/** Links to conversations stay in the page; others open beside it. */
function openBeside(link: HTMLAnchorElement): void {
  if (link.origin === location.origin && link.pathname === "/") return;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
}

/**
 * Mentions that open a card. One of everybody names nobody, and one in the header of a spoiler would
 * be a button inside another.
 */
const mentions =
  ":is(.user-mention:not([data-user-id='*']), .user-group-mention):not(.spoiler-header *)";

/** Keys reach a part of a message that does something when it is pressed. */
function makeButton(part: Element): void {
  part.setAttribute("role", "button");
  part.setAttribute("tabindex", "0");
}

/** A spoiler's header opens and closes what it hides. */
function makeSpoiler(header: Element): void {
  makeButton(header);
  header.setAttribute("aria-expanded", "false");
}

/** Opens or closes the spoiler that somebody has clicked on, or pressed a key at. */
export function toggleSpoiler({ target }: Event): void {
  const header = target instanceof Element ? target.closest(".spoiler-header") : null;
  if (!header || (target instanceof Element && target.closest("a"))) return;
  const isOpen = header.getAttribute("aria-expanded") !== "true";
  header.setAttribute("aria-expanded", String(isOpen));
  header.nextElementSibling?.setAttribute("aria-hidden", String(!isOpen));
}

/** Code that was drawn in this turn. */
let drawnCode: HTMLElement[] = [];

/**
 * Code that is wider than its place is scrolled by keyboard too. Its width is asked for when all rows
 * are drawn, because each question in between would have all of them laid out anew.
 */
function makeReachableSoon(code: HTMLElement): void {
  if (drawnCode.push(code) > 1) return;
  queueMicrotask(() => {
    const wide = drawnCode.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    for (const one of wide) one.tabIndex = 0;
    drawnCode = [];
  });
}

/** Rows do not move when a picture comes, because its place is reserved. */
function reservePlace(image: HTMLImageElement): void {
  const size = /^([1-9]\d*)x([1-9]\d*)$/.exec(image.dataset["originalDimensions"] ?? "");
  image.loading = "lazy";
  if (!size) return;
  const [, wide = "", high = ""] = size;
  image.classList.add("sized");
  image.style.setProperty("--wide", wide);
  image.style.setProperty("--high", high);
}

/** Pictures that open large when they are pressed. */
const pictures = ".message_inline_image:not(.message_inline_video) a, img.inline-image";

/** A picture says its name, and the keys reach it. */
function makeLarge(picture: Element): void {
  const image = picture.matches("img") ? picture : picture.querySelector("img");
  const address = picture.getAttribute("href") ?? picture.getAttribute("data-original-src") ?? "";
  const name = picture.getAttribute("title") || image?.getAttribute("alt") || nameOfFile(address);
  image?.setAttribute("alt", name);
  if (image !== picture) return;
  makeButton(picture);
}

/** The picture that somebody has pressed, by itself or by a key. */
export function pictureAt(event: MouseEvent | KeyboardEvent): Element | undefined {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  // With these keys a browser opens a link elsewhere.
  if (!(target instanceof Element) || ctrlKey || metaKey || shiftKey) return undefined;
  return target.closest(pictures) ?? undefined;
}

/** A film plays where it stands: as a part of a link its controls would open that. */
function playInRow(film: HTMLVideoElement): void {
  const link = film.closest("a");
  film.controls = true;
  film.title = link?.title || nameOfFile(link?.getAttribute("href") ?? "");
  link?.replaceWith(film);
}

/** Code has a button that copies it, and links to where it can be run. */
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

const copiedMilliseconds = 2_000;

/** Copies the code whose button somebody has pressed. */
export async function copyCode({ target }: Event): Promise<void> {
  const button = target instanceof Element ? target.closest(".code-tools .copy") : null;
  const code = button?.closest(".codehilite")?.querySelector("code, pre");
  if (!button || !code) return;
  const isCopied = await copyText(code.textContent ?? "");
  button.textContent = isCopied ? words.copied : words.notCopied;
  setTimeout(() => {
    button.textContent = words.copyCode;
  }, copiedMilliseconds);
}
