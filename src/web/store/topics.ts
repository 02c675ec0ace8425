import { signal } from "@preact/signals";
import { applyTopics, newestFirst, type Topic, type Topics, withTopics } from "../model/topics";
import type { Event } from "../model/wire";
import { Refusal, read } from "../net/api";

/** The topics of channels whose lists were loaded. */
const topics = signal<Topics>(new Map());
const loading = new Set<number>();
const late: Event[] = [];

/**
 * The topics of a channel; the one with the newest message comes first. Undefined until they are
 * loaded.
 */
export function topicsOf(channelId: number): readonly Topic[] | undefined {
  const list = topics.value.get(channelId);
  return list && newestFirst(list);
}

/** Loads the topics of a channel once. After that, events keep the list up to date. */
export async function openTopics(channelId: number): Promise<void> {
  if (topics.value.has(channelId) || loading.has(channelId)) return;
  if (loading.size === 0) late.length = 0;
  loading.add(channelId);
  try {
    const { topics: list } = await read("/users/me/{stream_id}/topics", {
      stream_id: channelId,
      allow_empty_topic_name: true,
    });
    topics.value = late.reduce(applyTopics, withTopics(topics.value, channelId, list));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  } finally {
    loading.delete(channelId);
  }
}

/** Applies events to the lists. */
export function applyToTopics(events: readonly Event[]): void {
  if (loading.size > 0) late.push(...events);
  topics.value = events.reduce(applyTopics, topics.value);
}

/** Drops the lists. They are loaded again when they are shown. */
export function renewTopics(): void {
  topics.value = new Map();
}
