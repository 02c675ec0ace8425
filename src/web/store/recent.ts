import { computed, signal } from "@preact/signals";
import { applyTraces, recentOf, type Traces, withoutOld, withTraces } from "../model/recent";
import type { Event } from "../model/wire";
import { read } from "../net/api";
import { reasonOf } from "./notices";
import { me } from "./state";

const pageSize = 200;
/** Pages are loaded until there are this many conversations, or this many messages were loaded. */
const enough = { conversations: 40, messages: 2_000 };

const traces = signal<Traces>(new Map());
/** Old traces are removed when there are this many. */
const tracesMax = { first: 4_000, factor: 2 };
let tracesNow = tracesMax.first;
/** Conversations that are kept when old traces are removed. */
const conversationsKept = 1_000;
/** As many as are kept now: more, if the person has asked for more. */
let conversationsMax = conversationsKept;
let oldestId: number | undefined;
let isLoading = false;
/**
 * The number of times that the list was loaded from nothing. Answers for an earlier list are
 * dropped.
 */
let generation = 0;
const late: Event[] = [];

/**
 * The state of the list: whether older messages are being loaded, whether there are none, or a
 * refusal.
 */
export const recentState = signal<"unasked" | "loading" | "more" | "whole" | { refusal: string }>(
  "unasked",
);

/** The conversations of the loaded messages; the one with the newest message comes first. */
export const recent = computed(() => recentOf(traces.value));

/** Loads the list when it is opened for the first time. */
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
    conversationsMax = Math.max(conversationsKept, recent.value.length);
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
  // Events that arrived meanwhile may concern messages in the answer.
  keepTraces(late.reduce((all, event) => applyTraces(all, event, me.value), withPage));
  oldestId = messages[0]?.id ?? oldestId;
  return found_oldest;
}

/** Applies events to the list, once it is loaded. */
export function applyToRecent(events: readonly Event[]): void {
  if (recentState.value === "unasked") return;
  if (isLoading) late.push(...events);
  keepTraces(events.reduce((all, event) => applyTraces(all, event, me.value), traces.value));
}

/**
 * Stores the traces. If there are too many, those that add nothing are removed together, and with
 * them the oldest conversations, which can be loaded again. While more are being loaded, all
 * conversations stay.
 */
function keepTraces(all: Traces): void {
  if (all.size <= tracesNow) {
    traces.value = all;
    return;
  }
  const kept = withoutOld(all, isLoading ? Number.POSITIVE_INFINITY : conversationsMax);
  traces.value = kept.traces;
  tracesNow = Math.max(tracesMax.first, kept.traces.size * tracesMax.factor);
  if (kept.cutAt === undefined) return;
  oldestId = kept.cutAt;
  if (recentState.value === "whole") recentState.value = "more";
}

/** Loads the list again from nothing, if it was loaded. */
export function renewRecent(): void {
  if (recentState.value === "unasked") return;
  traces.value = new Map();
  oldestId = undefined;
  conversationsMax = conversationsKept;
  generation += 1;
  isLoading = false;
  recentState.value = "unasked";
  openRecent();
}
