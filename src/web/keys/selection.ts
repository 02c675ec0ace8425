import { linesOf } from "../parts/roving-lines";
import { goToFeedEnd } from "../store/feed-ends";
import { addressedMessage } from "../store/place";

/* Places of the page that keys move in: the messages of a feed, and the lines of a list. */

const feed = (): HTMLElement | undefined =>
  document.querySelector<HTMLElement>(".conversation .feed, .conversation .pane") ?? undefined;

const rows = (): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(".feed article[data-id]"),
];

/**
 * The row on which keys act: the focused message, otherwise the message to which a link has led.
 */
function currentRow(): HTMLElement | undefined {
  const focused = document.activeElement?.closest<HTMLElement>("article[data-id]");
  const linked = document.querySelector(".row.focused")?.closest<HTMLElement>("article[data-id]");
  return focused ?? linked ?? undefined;
}

/**
 * The id of the message on which keys act. If none is chosen, it is the last visible one; while no
 * messages are there yet, the one that the address names.
 */
export function selectedMessage(): number | undefined {
  const row = currentRow() ?? lastSeen();
  return row ? Number(row.dataset["id"]) : addressedMessage();
}

function lastSeen(): HTMLElement | undefined {
  const bottom = feed()?.getBoundingClientRect().bottom ?? 0;
  return rows().findLast((row) => row.getBoundingClientRect().bottom <= bottom + 1);
}

/** Moves to the next or previous message or line. */
export function step(by: 1 | -1): void {
  const all = rows();
  if (all.length === 0) {
    stepLine(by);
    return;
  }
  const current = currentRow();
  const start = current ?? lastSeen();
  const index = start ? all.indexOf(start) : -1;
  focusOn(all[current ? Math.min(Math.max(index + by, 0), all.length - 1) : index]);
}

function stepLine(by: 1 | -1): void {
  const pane = document.querySelector(".conversation .pane");
  const all = pane ? linesOf(pane) : [];
  const index = all.findIndex((line) => line.parentElement?.contains(document.activeElement));
  all[index < 0 ? 0 : Math.min(Math.max(index + by, 0), all.length - 1)]?.focus();
}

function focusOn(row: HTMLElement | undefined): void {
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
}

/** Moves to the first or last message or line. */
export function goToEnd(end: "first" | "last"): void {
  const pane = feed();
  if (rows().length > 0) goToFeedEnd(end === "first" ? "oldest" : "newest");
  else if (pane) pane.scrollTop = end === "first" ? 0 : pane.scrollHeight;
}

/**
 * The part of the height by which a page key scrolls. It is less than one, so that a line stays
 * visible.
 */
const pagePart = 0.9;

export function turnPage(by: 1 | -1): void {
  const pane = feed();
  if (pane) pane.scrollTop += by * pane.clientHeight * pagePart;
}

/** Goes to the next or previous conversation in the rail. */
export function stepInRail(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".rail nav a.line")];
  const current = links.findIndex((link) => link.ariaCurrent === "page");
  const target = links[current < 0 ? 0 : (current + by + links.length) % links.length];
  target?.click();
  target?.scrollIntoView({ block: "nearest" });
}
