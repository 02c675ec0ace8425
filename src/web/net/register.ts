import { clientCapabilities, fetchEventTypes, type Register } from "../model/wire";
import { signed } from "./api";
import { cutOnWaking } from "./pause";
import { bodyOf } from "./refusal";
import { changeMilliseconds, timeLimit } from "./time-limit";

/** The state from `register`, with the event queue that continues from it. */
export type Snapshot = Register & {
  readonly queue_id: string;
  readonly last_event_id: number;
  /** The id of the newest message that the person may read; -1 if there is none. */
  readonly max_message_id: number;
  /** When it was made (UNIX seconds). */
  readonly server_timestamp: number;
};

/**
 * Registers with the parameters that the server uses for a new page (`src/web-page/snapshot.ts`),
 * for a page whose queue has ended. Throws a `Refusal`, also if the request was aborted because the
 * network may be back.
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
