import type { Snapshot } from "../net/register";

function readSnapshot(): Snapshot {
  const snapshot: Snapshot = JSON.parse(document.getElementById("snapshot")?.textContent ?? "");
  return snapshot;
}

/** The state inside the page, with the event queue that goes on from there. */
export const snapshot = readSnapshot();
