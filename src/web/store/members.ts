import { signal } from "@preact/signals";
import { put, withAll, withoutAll, withoutKeys } from "../model/copies";
import type { Event } from "../model/wire";
import { Refusal, read } from "../net/api";
import { isConnected } from "./state";

/** Ids of the subscribers of channels whose lists were loaded, by channel id. */
const members = signal<ReadonlyMap<number, ReadonlySet<number>>>(new Map());
/** Requests by channel. The answer to a request that was dropped meanwhile is ignored. */
const asked = new Map<number, symbol>();

/**
 * The number of times that lists were dropped, or that the server was reached again, so that
 * visible lists that are not there are loaded.
 */
export const membersDropped = signal(0);

isConnected.subscribe((isNow) => {
  if (isNow) membersDropped.value = membersDropped.peek() + 1;
});

export const membersOf = (channelId: number): ReadonlySet<number> | undefined =>
  members.value.get(channelId);

/** Loads the subscribers of a channel once. After that, events keep the list up to date. */
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

/**
 * Applies subscriptions and unsubscriptions to the lists. A list that is being loaded is requested
 * again.
 */
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

/** Drops the lists. They are loaded again when they are shown. */
export function renewMembers(): void {
  members.value = new Map();
  asked.clear();
  membersDropped.value += 1;
}
