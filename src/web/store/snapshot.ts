import type { LaterState } from "../model/kept";
import { wholeState } from "../model/lean-state";
import type { Event } from "../model/wire";
import type { Snapshot } from "../net/register";

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? "";

const later: LaterState<Event> | null = JSON.parse(textOf("later") || "null");

/** Whether the page was not made by the server, but from the state that the browser has stored. */
export const isKeptPage = later !== null;

/** Events that happened after the state in the page. */
export const laterEvents: readonly Event[] = later?.events ?? [];

function readSnapshot(): Snapshot {
  const inPage: Snapshot = JSON.parse(textOf("snapshot"));
  return { ...wholeState(inPage), ...later?.changes };
}

/** The state in the page, with the event queue that continues from it. */
export const snapshot = readSnapshot();
