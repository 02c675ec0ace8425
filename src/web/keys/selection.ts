import { linesOf } from "../parts/roving-lines";
import { goToFeedEnd } from "../store/feed-ends";

/* Places of the page that keys move in: the messages of a feed, and the lines of a list. */

const feed = (): HTMLElement | undefined =>
  document.querySelector<HTMLElement>(".conversation .feed, .conversation .pane") ?? undefined;

const rows = (): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(".feed article[data-id]"),
];

/** The message that the keys are at: the focused one, else the one that a link has led to. */
function currentRow(): HTMLElement | undefined {
  const focused = document.activeElement?.closest<HTMLElement>("article[data-id]");
  const linked = document.querySelector(".row.focused")?.closest<HTMLElement>("article[data-id]");
  return focused ?? linked ?? undefined;
}

/** Id of the message that keys act on; where none is chosen, the last one that is seen. */
export function selectedMessage(): number | undefined {
  const row = currentRow() ?? lastSeen();
  return row && Number(row.dataset["id"]);
}

function lastSeen(): HTMLElement | undefined {
  const bottom = feed()?.getBoundingClientRect().bottom ?? 0;
  return rows().findLast((row) => row.getBoundingClientRect().bottom <= bottom + 1);
}

/** Moves to another message, or to another line of a list. */
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

/** Moves to the first message or line, or to the last. */
export function goToEnd(end: "first" | "last"): void {
  const pane = feed();
  if (rows().length > 0) goToFeedEnd(end === "first" ? "oldest" : "newest");
  else if (pane) pane.scrollTop = end === "first" ? 0 : pane.scrollHeight;
}

/** A page is so much of the height, so that a line stays in sight. */
const pagePart = 0.9;

export function turnPage(by: 1 | -1): void {
  const pane = feed();
  if (pane) pane.scrollTop += by * pane.clientHeight * pagePart;
}

/** Goes to the conversation after or before the current one in the rail. */
export function stepInRail(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".rail nav a.line")];
  const current = links.findIndex((link) => link.ariaCurrent === "page");
  const target = links[current < 0 ? 0 : (current + by + links.length) % links.length];
  target?.click();
  target?.scrollIntoView({ block: "nearest" });
}
