import { now } from "../clock";
import { buildOfPage } from "./page-facts";

const header = "x-chatd-build";
/** A visible page is only reloaded if nothing was typed for this long. */
const quietMilliseconds = 60_000;
const lookMilliseconds = 15_000;
/**
 * A page reloads at most once in this time for one build, because nodes with different builds may
 * answer in turn.
 */
const againMilliseconds = 600_000;
const noteName = "chatd-begun-for";

let newest = buildOfPage();
let typedAt = 0;
let holds = 0;
let isWaiting = false;

/**
 * Notes the build that an answer names. A build other than the page's means that the server was
 * upgraded: the page reloads when nobody looks at it, or when nothing was typed for a minute.
 */
export function noteBuild({ headers }: Response): void {
  const build = headers.get(header);
  if (build === null || build === "") return;
  newest = build;
  if (isOld()) waitForQuiet();
}

/** Whether the server has another build than the page, according to its answers. */
const isOld = () => newest !== buildOfPage();

/**
 * Prevents a reload while something runs in the page that a reload would break off, such as an
 * upload. Returns a function that ends that.
 */
export function keepPage(): () => void {
  holds += 1;
  let isHeld = true;
  return () => {
    if (isHeld) holds -= 1;
    isHeld = false;
  };
}

/**
 * Loads a part of the client that is not in its first file: `loadPart(() => import("./palette"))`.
 * If the server has another build by now, the part no longer exists, and the page reloads.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    await fetch("/account/session").then(noteBuild, () => undefined);
    if (isOld() && holds === 0) beginAnew();
    throw error;
  }
}

function waitForQuiet() {
  if (isWaiting) return;
  isWaiting = true;
  const noteTyping = () => {
    typedAt = now();
  };
  noteTyping();
  addEventListener("input", noteTyping);
  document.addEventListener("visibilitychange", beginWhenQuiet);
  setInterval(beginWhenQuiet, lookMilliseconds);
}

function beginWhenQuiet() {
  const isQuiet = document.visibilityState === "hidden" || now() - typedAt >= quietMilliseconds;
  if (isQuiet && holds === 0 && isOld()) beginAnew();
}

function beginAnew() {
  const [build, at] = (sessionStorage.getItem(noteName) ?? "").split(" ");
  if (build === newest && now() - Number(at) < againMilliseconds) return;
  sessionStorage.setItem(noteName, `${newest} ${now()}`);
  location.reload();
}
