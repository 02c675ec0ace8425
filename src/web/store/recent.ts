import { computed, signal } from "@preact/signals";
import { applyTraces, recentOf, type Traces, withoutOld, withTraces } from "../model/recent";
import type { Event } from "../model/wire";
import { read } from "../net/api";
import { reasonOf } from "./notices";
import { me } from "./state";

const pageSize = 200;
/** Pages are loaded until there are so many conversations, or so many messages were read. */
const enough = { conversations: 40, messages: 2_000 };

const traces = signal<Traces>(new Map());
/** Old traces are left out once there are so many. */
const tracesMax = { first: 4_000, factor: 2 };
let tracesNow = tracesMax.first;
let oldestId: number | undefined;
let isLoading = false;
/** Counts how often the list was begun: what was asked for an earlier one is dropped. */
let generation = 0;
const late: Event[] = [];

/** State of the list: whether older messages are asked for, whether there are none, a refusal. */
export const recentState = signal<"unasked" | "loading" | "more" | "whole" | { refusal: string }>(
  "unasked",
);

/** Conversations of the messages that were loaded, the one with the newest message first. */
export const recent = computed(() => recentOf(traces.value));

/** Loads the list when it is opened first. */
export function openRecent(): void {
  if (recentState.value === "unasked") void loadRecent();
}

/** Loads older conversations. */
export async function loadRecent(): Promise<void> {
  if (isLoading || recentState.value === "whole") return;
  isLoading = true;
  recentState.value = "loading";
  const before = recent.value.length;
  const begun = generation;
  try {
    let isWhole = false;
    for (let messages = 0; !isWhole && messages < enough.messages; messages += pageSize) {
      isWhole = await loadPage();
      if (begun !== generation) return;
      if (recent.value.length - before >= enough.conversations) break;
    }
    recentState.value = isWhole ? "whole" : "more";
  } catch (error) {
    const refusal = reasonOf(error);
    if (begun === generation) recentState.value = { refusal };
  } finally {
    if (begun === generation) isLoading = false;
  }
}

async function loadPage(): Promise<boolean> {
  late.length = 0;
  const begun = generation;
  const { messages, found_oldest } = await read("/messages", {
    anchor: oldestId ?? "newest",
    include_anchor: oldestId === undefined,
    num_before: pageSize,
    num_after: 0,
    narrow: [],
    client_gravatar: true,
    allow_empty_topic_name: true,
  });
  if (begun !== generation) return false;
  const withPage = withTraces(traces.value, messages, me.value);
  // Events that came meanwhile may tell of messages in the answer.
  keepTraces(late.reduce((all, event) => applyTraces(all, event, me.value), withPage));
  oldestId = messages[0]?.id ?? oldestId;
  return found_oldest;
}

/** Folds events into the list, once it was loaded. */
export function applyToRecent(events: readonly Event[]): void {
  if (recentState.value === "unasked") return;
  if (isLoading) late.push(...events);
  keepTraces(events.reduce((all, event) => applyTraces(all, event, me.value), traces.value));
}

/** Keeps so many traces as tell of the conversations; a number of them are left out at a time. */
function keepTraces(all: Traces): void {
  const isMany = all.size > tracesNow;
  traces.value = isMany ? withoutOld(all) : all;
  if (isMany) tracesNow = Math.max(tracesMax.first, traces.value.size * tracesMax.factor);
}

/** Begins the list anew, if it was loaded. */
export function renewRecent(): void {
  if (recentState.value === "unasked") return;
  traces.value = new Map();
  oldestId = undefined;
  generation += 1;
  isLoading = false;
  recentState.value = "unasked";
  openRecent();
}
