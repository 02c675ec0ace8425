import { characterOf } from "../model/emoji";
import { language } from "../words/words";

declare global {
  /** Trusted Types, where the browser has them: HTML is then made by a policy alone. */
  var trustedTypes:
    | {
        createPolicy(
          name: string,
          rules: { createHTML(html: string): string },
        ): { createHTML(html: string): unknown };
      }
    | undefined;
}

/** The one place where text becomes HTML: messages as the server has rendered them. */
const policy = globalThis.trustedTypes?.createPolicy("chatd-messages", {
  createHTML: (html) => html,
});

/** Shows the HTML of a message in an element. */
export function showContent(element: HTMLElement, html: string): void {
  Reflect.set(element, "innerHTML", policy ? policy.createHTML(html) : html);
  for (const emoji of element.querySelectorAll("span.emoji")) showEmoji(emoji);
  for (const time of element.querySelectorAll("time")) showTime(time);
  for (const link of element.querySelectorAll("a")) openBeside(link);
  for (const header of element.querySelectorAll(".spoiler-header")) makeSpoiler(header);
  for (const code of element.querySelectorAll("pre")) makeReachable(code);
  for (const image of element.querySelectorAll("img")) reservePlace(image);
}

function showEmoji(emoji: Element): void {
  const code = /emoji-([0-9a-f-]+)/.exec(emoji.className)?.[1];
  if (code !== undefined) emoji.textContent = characterOf(code);
}

const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** A time that somebody wrote, in the zone of who reads it. */
function showTime(time: HTMLTimeElement): void {
  const date = new Date(time.dateTime);
  if (!Number.isNaN(date.getTime())) time.textContent = moment.format(date);
}

/** Links to conversations stay in the page; others open beside it. */
function openBeside(link: HTMLAnchorElement): void {
  if (link.origin === location.origin && link.pathname === "/") return;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
}

/** A spoiler's header opens and closes what it hides. */
function makeSpoiler(header: Element): void {
  header.setAttribute("role", "button");
  header.setAttribute("tabindex", "0");
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

/** Code that is wider than its place is scrolled by keyboard too. */
function makeReachable(code: HTMLElement): void {
  if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
}

/** Rows do not move when a picture comes, because its place is reserved. */
function reservePlace(image: HTMLImageElement): void {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(image.dataset["originalDimensions"] ?? "") ?? [];
  image.loading = "lazy";
  if (width === undefined || height === undefined) return;
  image.width = Number(width);
  image.height = Number(height);
}
