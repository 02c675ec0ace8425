import type { Event } from "../model/wire";
import { wait } from "../net/pause";
import type { Snapshot } from "../net/register";
import { neededPart } from "./needed-part";

type Part = Awaited<ReturnType<typeof neededPart<"offline">>>;

let part: Part | undefined;
/** Events that have come before the part was loaded; undefined where they were too many. */
let early: Event[] | undefined = [];
const earlyMax = 1_000;
let renewed: Snapshot | undefined;

/** The page has come by then, and what is kept takes nothing from it. */
const quietMilliseconds = 3_000;

/** Begins to keep what can be read where the server is not reached, where a browser can open that. */
export async function beginKeeping(): Promise<void> {
  if (!("serviceWorker" in navigator && "indexedDB" in globalThis && "caches" in globalThis))
    return;
  const { serviceWorker } = navigator;
  await wait(quietMilliseconds);
  // Never there where the browser refuses the worker, and late where it or the network is slow.
  await serviceWorker.ready;
  part = await neededPart("offline");
  part.keepFrom(early);
  if (renewed) part.keepRenewed(renewed);
  early = undefined;
  renewed = undefined;
}

/** Keeps events. */
export function applyToKept(events: readonly Event[]): void {
  if (part) part.takeEvents(events);
  else if (early && early.length < earlyMax) early.push(...events);
  else early = undefined;
}

/** Keeps another state in place of the one before. */
export function renewKept(snapshot: Snapshot): void {
  if (part) part.keepRenewed(snapshot);
  else renewed = snapshot;
  early = part ? undefined : [];
}
