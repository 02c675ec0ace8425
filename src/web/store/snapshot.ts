import type { Register } from "../model/wire";

/** The state inside the page, with the event queue that goes on from there. */
export type Snapshot = Register & {
  readonly queue_id: string;
  readonly last_event_id: number;
  /** The newest message of the organization. */
  readonly max_message_id: number;
};

function readSnapshot(): Snapshot {
  const snapshot: Snapshot = JSON.parse(document.getElementById("snapshot")?.textContent ?? "");
  return snapshot;
}

export const snapshot = readSnapshot();
