import { computed, signal } from "@preact/signals";
import type { Channel } from "../model/channels";
import { topicKey } from "../model/conversations";
import type { NarrowKind } from "../model/narrow-kind";
import { plainText } from "../model/ranking";
import { words } from "../words/words";
import { directName, peopleOfKey } from "./names";
import { channelFolders, channels, conversations, unread } from "./state";

/** Text that the rail is filtered by; undefined where the field for it is not open. */
export const railFilter = signal<string | undefined>(undefined);

export const isFiltered = (): boolean => (railFilter.value ?? "").trim() !== "";

/** Whether a name has words that begin as the filter says. */
function passes(name: string): boolean {
  const sought = plainText(railFilter.value ?? "").trim();
  const plain = plainText(name);
  return (
    plain.startsWith(sought) ||
    plain.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(sought))
  );
}

/** Keys of the direct conversations, the one with the newest message first. */
export const directInRail = (): readonly string[] =>
  [...conversations.value]
    .sort(([, one], [, other]) => other - one)
    .map(([key]) => key)
    .filter((key) => !isFiltered() || passes(directName(peopleOfKey(key))));

/** Channels of the rail under one heading. */
export interface RailSection {
  readonly key: string;
  readonly name: string;
  readonly channels: readonly Channel[];
}

/** Muted channels stand last in their section; the others by name. */
const byOrder = (one: Channel, other: Channel): number =>
  Number(one.is_muted ?? false) - Number(other.is_muted ?? false) ||
  one.name.localeCompare(other.name);

/** Channels that the person is in: sorted when one of them changes, not with each message. */
const ownChannels = computed(() =>
  [...channels.value.values()]
    .filter(({ standing, is_archived }) => standing === "subscribed" && !is_archived)
    .sort(byOrder),
);

/** Channels that the person is in: those pinned first, then by folder, then those in none. */
export function channelsInRail(): readonly RailSection[] {
  const own = ownChannels.value.filter(({ name }) => !isFiltered() || passes(name));
  const pinned = own.filter(({ pin_to_top }) => pin_to_top);
  const others = own.filter(({ pin_to_top }) => !pin_to_top);
  const folders = [...channelFolders.value.values()]
    .filter(({ is_archived }) => !is_archived)
    .sort((one, other) => one.order - other.order);
  const folderIds = new Set(folders.map(({ id }) => id));
  const inNone = others.filter(({ folder_id: id }) => id === null || !folderIds.has(id));
  const sections = [
    { key: "pinned", name: words.pinned, channels: pinned },
    ...folders.map(({ id, name }) => ({
      key: `folder ${id}`,
      name,
      channels: others.filter(({ folder_id }) => folder_id === id),
    })),
    { key: "others", name: words.channels, channels: inNone },
  ];
  return sections.filter((section) => section.channels.length > 0);
}

export interface RailTopic {
  readonly topic: string;
  readonly count: number;
  readonly isCurrent: boolean;
}

/** Topics of a channel with something unread, the newest first, and the one that is open. */
export function topicsInRail(channelId: number, narrow: NarrowKind): readonly RailTopic[] {
  const open = narrow.kind === "topic" && narrow.channelId === channelId ? narrow.topic : undefined;
  const openKey = open === undefined ? undefined : topicKey(channelId, open);
  const topics = [...unread.value.topics]
    .filter(([, one]) => one.channelId === channelId)
    .sort(([, one], [, other]) => (other.ids.at(-1) ?? 0) - (one.ids.at(-1) ?? 0))
    .map(([key, { topic, ids }]) => ({ topic, count: ids.length, isCurrent: key === openKey }));
  return open === undefined || topics.some(({ isCurrent }) => isCurrent)
    ? topics
    : [{ topic: open, count: 0, isCurrent: true }, ...topics];
}
