/** State of the history's entry that Back leaves to close a picture. */
const pictureState = "picture";

/** Closes the picture that is open. */
let closeOpen: (() => void) | undefined;

/** Whether the next step in the history is one that has followed a picture's end: it closes none. */
let isStepping = false;

addEventListener("popstate", () => {
  const close = isStepping ? undefined : closeOpen;
  isStepping = false;
  close?.();
});

/** Lets Back close a picture, in place of leaving the conversation: it has an entry in the history. */
export function closeByBack(close: () => void): void {
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
