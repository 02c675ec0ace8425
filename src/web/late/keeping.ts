import type { Event } from "../model/wire";
import { wait } from "../net/backoff";
import type { Snapshot } from "../net/register";
import { neededPart } from "./needed-part";

type Part = Awaited<ReturnType<typeof neededPart<"offline">>>;

let part: Part | undefined;
/** Events that arrived before the part was loaded; undefined if there were too many. */
let early: Event[] | undefined = [];
const earlyMax = 1_000;
let renewed: Snapshot | undefined;

/** The page is loaded by then, so that storing does not slow it down. */
const quietMilliseconds = 3_000;

/**
 * Starts to store messages that can be read without the server, if the browser could open a stored
 * page.
 */
export async function beginKeeping(): Promise<void> {
  if (!("serviceWorker" in navigator && "indexedDB" in globalThis && "caches" in globalThis))
    return;
  const { serviceWorker } = navigator;
  await wait(quietMilliseconds);
  // It is never reached if the browser refuses the worker, and late if the browser or the network
  // is slow.
  await serviceWorker.ready;
  part = await neededPart("offline");
  part.keepFrom(early);
  if (renewed) part.keepRenewed(renewed);
  early = undefined;
  renewed = undefined;
}

/** Stores events. */
export function applyToKept(events: readonly Event[]): void {
  if (part) part.takeEvents(events);
  else if (early && early.length < earlyMax) early.push(...events);
  else early = undefined;
}

/** Replaces the stored state. */
export function renewKept(snapshot: Snapshot): void {
  if (part) part.keepRenewed(snapshot);
  else renewed = snapshot;
  early = part ? undefined : [];
}
