import { signal } from "@preact/signals";
import { put, withAll, withoutAll, withoutKeys } from "../model/copies";
import type { Event } from "../model/wire";
import { Refusal, read } from "../net/api";

/** Ids of the people in the channels whose lists were asked for, by the channel's id. */
const members = signal<ReadonlyMap<number, ReadonlySet<number>>>(new Map());
/** Requests by channel: an answer to one that was dropped meanwhile is not taken. */
const asked = new Map<number, symbol>();

/** Counts how often lists were dropped, so that those that are shown are asked for anew. */
export const membersDropped = signal(0);

export const membersOf = (channelId: number): ReadonlySet<number> | undefined =>
  members.value.get(channelId);

/** Asks who is in a channel, once: events follow who joins and leaves. */
export async function openMembers(channelId: number): Promise<void> {
  if (asked.has(channelId)) return;
  const request = Symbol();
  asked.set(channelId, request);
  try {
    const { subscribers } = await read("/streams/{stream_id}/members", { stream_id: channelId });
    if (asked.get(channelId) === request)
      members.value = put(members.value, channelId, new Set(subscribers));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (asked.get(channelId) === request) asked.delete(channelId);
  }
}

/** Folds who joins and who leaves into the lists. One that is on its way is asked for anew. */
export function applyToMembers(events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== "subscription") continue;
    if (event.op === "peer_add" || event.op === "peer_remove") {
      const change = event.op === "peer_add" ? withAll<number> : withoutAll<number>;
      for (const id of event.stream_ids) {
        const before = members.value.get(id);
        if (before) members.value = put(members.value, id, change(before, event.user_ids));
        else drop(id);
      }
    }
    if (event.op === "add" || event.op === "remove")
      for (const { stream_id } of event.subscriptions) {
        members.value = withoutKeys(members.value, [stream_id]);
        drop(stream_id);
      }
  }
}

function drop(channelId: number): void {
  if (asked.delete(channelId)) membersDropped.value += 1;
}

/** Forgets the lists: they are asked for when they are shown again. */
export function renewMembers(): void {
  members.value = new Map();
  asked.clear();
  membersDropped.value += 1;
}
