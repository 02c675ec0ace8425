import { fragment, pictureState, replacePlace } from "../store/place";

/** Closes the picture that is open. */
let closeOpen: (() => void) | undefined;

/**
 * The fragment at which the latest picture was opened, which is that of the entry below its own.
 */
let begun: string | undefined;

/**
 * Whether the next step in the history is one that has followed a picture's end: it closes none.
 */
let isStepping = false;

addEventListener("popstate", () => {
  const close = isStepping ? undefined : closeOpen;
  const isBelow = begun === location.hash && (isStepping || close !== undefined);
  isStepping = false;
  // The open topic may have moved meanwhile, which has changed the picture's entry alone.
  if (isBelow && fragment.peek() !== begun) replacePlace(fragment.peek());
  close?.();
});

/**
 * Lets Back close a picture, in place of leaving the conversation: it has an entry in the history.
 */
export function closeByBack(close: () => void): void {
  begun = location.hash;
  history.pushState(pictureState, "");
  closeOpen = () => {
    closeOpen = undefined;
    close();
  };
}

/** Leaves the entry of a picture that was closed otherwise than by Back. */
export function leaveEntry(): void {
  if (closeOpen === undefined) return;
  closeOpen = undefined;
  if (history.state !== pictureState) return;
  isStepping = true;
  history.back();
}
