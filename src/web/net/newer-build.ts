import { now } from "../clock";
import { buildOfPage } from "./page-facts";
import { isSeen } from "./pause";

/** Header by which each answer tells the build of the web client that the server has. */
const buildHeader = "x-chatd-build";
const idleMilliseconds = 60_000;

let typedAt = 0;
let isWaiting = false;

/**
 * Opens the page anew where an answer tells that the server has another build of it: at once where
 * nobody sees it, otherwise when nothing has been typed for a minute. A text that would be lost
 * keeps the page: it stands in an element with `data-unsaved`.
 */
export function noteBuild(response: Response): void {
  const build = response.headers.get(buildHeader);
  const own = buildOfPage();
  if (build === null || own === "" || build === own || isWaiting) return;
  isWaiting = true;
  typedAt = now();
  document.addEventListener("input", () => {
    typedAt = now();
  });
  document.addEventListener("visibilitychange", reloadWhenIdle);
  setInterval(reloadWhenIdle, idleMilliseconds / 4);
  reloadWhenIdle();
}

function reloadWhenIdle(): void {
  const isIdle = !isSeen() || now() - typedAt > idleMilliseconds;
  if (isIdle && !document.querySelector("[data-unsaved]")) location.reload();
}
