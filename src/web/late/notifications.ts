import type { Event } from "../model/wire";
import { isPolling } from "../store/queue";
import { neededPart } from "./needed-part";

type Part = Awaited<ReturnType<typeof neededPart<"notifications">>>;

let part: Part | undefined;
/** Events that arrived before the part was loaded. */
const waiting: Event[] = [];
const waitingMax = 1_000;

/** Loads the part that notifies the person outside of the page. */
export async function beginNotifications(): Promise<void> {
  part = await neededPart("notifications");
  part.followNotifications();
  part.tellOf(waiting.splice(0));
}

/** Removes notifications of messages that were read while events were missed. */
export function renewNotifications(newestId: number): void {
  part?.notePhoneChange();
  if (isPolling.peek()) part?.endReadBefore(newestId);
}

/**
 * Notifies the person of events, only in the tab that polls. Each tab updates its list of devices.
 */
export function applyToNotifications(events: readonly Event[]): void {
  part?.noteDevices(events);
  if (!isPolling.peek()) return;
  if (part) part.tellOf(events);
  else if (waiting.length < waitingMax) waiting.push(...events);
}
