import type { Event } from "../model/wire";
import { isPolling } from "../store/queue";
import { neededPart } from "./needed-part";

type Part = Awaited<ReturnType<typeof neededPart<"notifications">>>;

let part: Part | undefined;
/** Events that have come before the part was loaded. */
const waiting: Event[] = [];
const waitingMax = 1_000;

/** Loads the part that tells the person outside of the page of what happens in it. */
export async function beginNotifications(): Promise<void> {
  part = await neededPart("notifications");
  part.followNotifications();
  part.tellOf(waiting.splice(0));
}

/** Ends notifications of messages that were read while the events were not known. */
export function renewNotifications(newestId: number): void {
  part?.notePhoneChange();
  if (isPolling.peek()) part?.endReadBefore(newestId);
}

/** Tells the person of events, in one tab: the one that polls. Each tab lists the devices. */
export function applyToNotifications(events: readonly Event[]): void {
  part?.noteDevices(events);
  if (!isPolling.peek()) return;
  if (part) part.tellOf(events);
  else if (waiting.length < waitingMax) waiting.push(...events);
}
