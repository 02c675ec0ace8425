import { clientCapabilities, fetchEventTypes, type Register } from "../model/wire";
import { signed } from "./api";
import { cutOnWaking } from "./pause";
import { bodyOf } from "./refusal";
import { changeMilliseconds, timeLimit } from "./time-limit";

/** The state of a register, with the event queue that goes on from there. */
export type Snapshot = Register & {
  readonly queue_id: string;
  readonly last_event_id: number;
  /** The newest message that the person may read; -1 where there is none. */
  readonly max_message_id: number;
  /** The time at which it was made, in UNIX seconds. */
  readonly server_timestamp: number;
};

/**
 * Registers as the server does for a new page (`src/web-page/snapshot.ts`), for a page whose queue
 * has ended. Throws a `Refusal`, also where it was broken off because the network may be back.
 */
export async function register(): Promise<Snapshot> {
  const body = new URLSearchParams({
    fetch_event_types: JSON.stringify(fetchEventTypes),
    client_capabilities: JSON.stringify(clientCapabilities),
    apply_markdown: "true",
    client_gravatar: "true",
    include_subscribers: "false",
    slim_presence: "true",
  });
  const cut = new AbortController();
  const signal = timeLimit(cut.signal, changeMilliseconds);
  const endWaking = cutOnWaking(cut);
  try {
    const response = await signed((headers) =>
      fetch("/api/v1/register", { method: "POST", body, headers, signal }),
    );
    const snapshot: Snapshot = await bodyOf(response);
    return snapshot;
  } finally {
    endWaking();
  }
}
