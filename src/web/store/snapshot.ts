import type { LaterState } from "../model/kept";
import { wholeState } from "../model/lean-state";
import type { Event } from "../model/wire";
import type { Snapshot } from "../net/register";

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? "";

const later: LaterState<Event> | null = JSON.parse(textOf("later") || "null");

/** Whether the page was not made by the server, but of what the browser keeps. */
export const isKeptPage = later !== null;

/** Events that have come after the state inside the page. */
export const laterEvents: readonly Event[] = later?.events ?? [];

function readSnapshot(): Snapshot {
  const inPage: Snapshot = JSON.parse(textOf("snapshot"));
  return { ...wholeState(inPage), ...later?.changes };
}

/** The state inside the page, with the event queue that goes on from there. */
export const snapshot = readSnapshot();
