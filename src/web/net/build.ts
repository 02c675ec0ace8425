import { now } from "../clock";
import { buildOfPage } from "./page-facts";

const header = "x-chatd-build";
/** A visible page is only reloaded if nothing was typed for this long. */
const quietMilliseconds = 60_000;
const lookMilliseconds = 15_000;
/**
 * A page reloads at most once in this time for one build, because nodes with different builds may
 * answer in turn, and because something may keep a part of the client from the browser for good.
 */
const againMilliseconds = 600_000;
const noteName = "chatd-begun-for";

let newest = buildOfPage();
let typedAt = 0;
let holds = 0;
let isWaiting = false;
/** Whether the last part that somebody wanted could not be loaded although the server is there. */
let isBroken = false;
let areRenewed = false;

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
 * If the server has another build by now, the part no longer exists, and the page reloads. If it
 * cannot be loaded from a server that is there, the page reloads when it is quiet (`wanted`), or at
 * once if it is of no use without the part (`indispensable`): Firefox does not ask again for a file
 * that has once failed. A part in the background is not worth a reload.
 */
export async function loadPart<Part>(
  load: () => Promise<Part>,
  need: "indispensable" | "wanted" | "background" = "wanted",
): Promise<Part> {
  try {
    return await load();
  } catch {
    const isServerThere = await fetch("/account/session").then(noteAnswer, () => false);
    if (isServerThere && !isOld()) await renewFiles();
    try {
      const part = await load();
      isBroken = false;
      return part;
    } catch (error) {
      if (isServerThere && need !== "background") waitForReload();
      const isUseless = isOld() || (isServerThere && need === "indispensable");
      if (isUseless && holds === 0) beginAnew();
      throw error;
    }
  }
}

/** Notes the build that an answer names. Returns whether it comes from a server of chatd. */
function noteAnswer(answer: Response): boolean {
  noteBuild(answer);
  return answer.headers.has(header);
}

/**
 * Requests the files of the client anew, because Safari keeps refusals even for the next page. Once
 * in a page: its own requests are entries, too.
 */
async function renewFiles() {
  if (areRenewed) return;
  areRenewed = true;
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  const scripts = new Set(files.filter((name) => name.endsWith(".js")));
  await Promise.allSettled([...scripts].map((name) => fetch(name, { cache: "reload" })));
}

function waitForReload() {
  isBroken = true;
  waitForQuiet();
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
  const isUnseen = document.visibilityState === "hidden";
  const isQuiet = isUnseen || (now() - typedAt >= quietMilliseconds && !isDialogOpen());
  if (isQuiet && holds === 0 && !isPlaying() && (isOld() || isBroken)) beginAnew();
}

/** Whether somebody looks at a picture, or has begun to fill in something. */
const isDialogOpen = () => document.querySelector("dialog[open]") !== null;

/** Whether a video or a recording plays, to which somebody may listen in another window, too. */
const isPlaying = () =>
  [...document.querySelectorAll<HTMLMediaElement>("video, audio")].some(({ paused }) => !paused);

function beginAnew() {
  const [build, at] = (sessionStorage.getItem(noteName) ?? "").split(" ");
  if (build === newest && now() - Number(at) < againMilliseconds) return;
  sessionStorage.setItem(noteName, `${newest} ${now()}`);
  location.reload();
}
