import { signal } from "@preact/signals";
import { put, withoutKeys } from "../model/copies";
import { applyTopics, newestFirst, type Topic, type Topics, withTopics } from "../model/topics";
import type { Event } from "../model/wire";
import { read } from "../net/api";
import { reasonOf } from "./notices";

/** The topics of channels whose lists were loaded. */
const topics = signal<Topics>(new Map());
/** Why lists could not be loaded, by channel id. */
const refusals = signal<ReadonlyMap<number, string>>(new Map());
/** Events that arrived while the list of a channel was requested, by channel id. */
const loading = new Map<number, Event[]>();

/**
 * The topics of a channel; the one with the newest message comes first. Undefined until they are
 * loaded.
 */
export function topicsOf(channelId: number): readonly Topic[] | undefined {
  const list = topics.value.get(channelId);
  return list && newestFirst(list);
}

/** Why the topics of a channel could not be loaded; undefined if they were, or are being loaded. */
export const topicsRefusal = (channelId: number): string | undefined =>
  refusals.value.get(channelId);

/**
 * Loads the topics of a channel once. After that, events keep the list up to date. A list that is
 * dropped while it is being loaded is requested again. An effect may call it: a refusal does not
 * run the effect again, because it would ask in each frame.
 */
export async function openTopics(channelId: number): Promise<void> {
  if (topics.value.has(channelId) || loading.has(channelId)) return;
  const late: Event[] = [];
  loading.set(channelId, late);
  refusals.value = withoutKeys(refusals.peek(), [channelId]);
  const isDropped = () => loading.get(channelId) !== late;
  try {
    const { topics: list } = await read("/users/me/{stream_id}/topics", {
      stream_id: channelId,
      allow_empty_topic_name: true,
    });
    if (!isDropped())
      topics.value = late.reduce(applyTopics, withTopics(topics.value, channelId, list));
  } catch (error) {
    const why = reasonOf(error);
    if (!isDropped()) refusals.value = put(refusals.value, channelId, why);
  } finally {
    if (!isDropped()) loading.delete(channelId);
  }
  if (!refusals.peek().has(channelId)) await openTopics(channelId);
}

/** Applies events to the lists. */
export function applyToTopics(events: readonly Event[]): void {
  for (const late of loading.values()) late.push(...events);
  topics.value = events.reduce(applyTopics, topics.value);
}

/** Drops the lists. They are loaded again when they are shown. */
export function renewTopics(): void {
  topics.value = new Map();
  loading.clear();
}
