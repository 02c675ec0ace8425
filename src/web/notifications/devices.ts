import { signal } from "@preact/signals";
import type { Event } from "../model/wire";
import { post, remove } from "../net/api";
import { Refusal } from "../net/refusal";
import { endPush, ownPushId, readReceivers } from "./push";

/** A browser, a phone or another program that the server pushes to. */
export interface Device {
  readonly key: string;
  readonly kind: "web_push" | "unified_push" | "ntfy" | "phone";
  /** Server that pushes go through; empty where that is not told. */
  readonly host: string;
  /** UNIX seconds; undefined where it is not told. */
  readonly since: number | undefined;
  readonly isThisBrowser: boolean;
  /** Whether the relay has refused it, so that nothing arrives there. */
  readonly hasFailed: boolean;
  /** Ends the pushes there. Throws a `Refusal`. */
  end(): Promise<unknown>;
}

/** Number of times that phones were added, changed or ended, or may have been, while the page is open. */
export const phoneChanges = signal(0);

/** Takes note of events about phones. */
export function noteDevices(events: readonly Event[]): void {
  if (events.some(({ type }) => type === "device")) notePhoneChange();
}

/** Takes note of a change, such as one whose event may not have come. */
export function notePhoneChange(): void {
  phoneChanges.value += 1;
}

/** Browsers and other programs that have asked for pushes themselves. Throws a `Refusal`. */
export async function readSubscribed(): Promise<readonly Device[]> {
  const receivers = await readReceivers();
  const own = ownPushId();
  return receivers.map(({ id, kind, host, created_at }) => ({
    key: `receiver ${id}`,
    kind: kindOf(kind),
    host,
    since: created_at,
    isThisBrowser: id === own,
    hasFailed: false,
    end: () =>
      id === own
        ? endPush()
        : remove("/push_subscriptions/{subscription_id}", { subscription_id: id }),
  }));
}

const kindOf = (kind: string): Device["kind"] =>
  kind === "web_push" || kind === "ntfy" ? kind : "unified_push";

/**
 * Phones and tablets, which clients register; the protocol lists them with a state alone. Throws a
 * `Refusal`.
 */
export async function readPhones(): Promise<readonly Device[]> {
  const { devices, queue_id } = await post("/register", {
    fetch_event_types: ["device"],
    event_types: ["device"],
  });
  // A queue that cannot be ended now ends by itself.
  await remove("/events", { queue_id: queue_id ?? "" }).catch(passRefusal);
  return Object.entries(devices ?? {}).map(([id, device]) => ({
    key: `phone ${id}`,
    kind: "phone" as const,
    host: "",
    since: device.push_token_last_updated_timestamp ?? undefined,
    isThisBrowser: false,
    hasFailed: device.push_registration_error_code !== null,
    end: () => post("/remove_client_device", { device_id: Number(id) }),
  }));
}

function passRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
