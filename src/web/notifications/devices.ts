import { signal } from "@preact/signals";
import type { Event } from "../model/wire";
import { post, remove } from "../net/api";
import { passRefusal } from "../net/refusal";
import { endPush, ownPushId, readReceivers } from "./push";

/** A browser, a phone or another program to which the server pushes. */
export interface Device {
  readonly key: string;
  readonly kind: "web_push" | "unified_push" | "ntfy" | "phone";
  /** The push service; empty if the server does not tell. */
  readonly host: string;
  /** When the pushes began (UNIX seconds); undefined if the server does not tell. */
  readonly since: number | undefined;
  readonly isThisBrowser: boolean;
  /** Whether the relay has refused it, so that nothing arrives there. */
  readonly hasFailed: boolean;
  /** Ends the pushes to it. Throws a `Refusal`. */
  end(): Promise<unknown>;
}

/**
 * Changes each time when phones were, or may have been, added, changed or removed while the page is
 * open.
 */
export const phoneChanges = signal(0);

/** Applies events about phones. */
export function noteDevices(events: readonly Event[]): void {
  if (events.some(({ type }) => type === "device")) notePhoneChange();
}

/** Notes a change, for example one whose event may have been missed. */
export function notePhoneChange(): void {
  phoneChanges.value += 1;
}

/** Browsers and other programs that have subscribed to pushes. Throws a `Refusal`. */
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
 * Phones and tablets, which their apps register. The protocol only lists them together with a
 * state. Throws a `Refusal`.
 */
export async function readPhones(): Promise<readonly Device[]> {
  const { devices, queue_id } = await post("/register", {
    fetch_event_types: ["device"],
    event_types: ["device"],
  });
  // A queue that cannot be deleted now expires by itself.
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
