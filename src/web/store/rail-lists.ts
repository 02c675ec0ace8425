import { computed, signal } from "@preact/signals";
import type { Channel } from "../model/channels";
import { topicKey } from "../model/conversations";
import type { NarrowKind } from "../model/narrow-kind";
import { plainText } from "../model/ranking";
import { words } from "../words/words";
import { directName, peopleOfKey } from "./names";
import { channelFolders, channels, conversations, unread } from "./state";

/** The text that filters the rail; undefined if its field is closed. */
export const railFilter = signal<string | undefined>(undefined);

export const isFiltered = (): boolean => (railFilter.value ?? "").trim() !== "";

/** Whether a name has words that begin with the words of the filter. */
function passes(name: string): boolean {
  const sought = plainText(railFilter.value ?? "").trim();
  const plain = plainText(name);
  return (
    plain.startsWith(sought) ||
    plain.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(sought))
  );
}

/** Keys of the direct conversations; the one with the newest message comes first. */
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

/** Muted channels come last in their section. Otherwise channels are sorted by name. */
const byOrder = (one: Channel, other: Channel): number =>
  Number(one.is_muted ?? false) - Number(other.is_muted ?? false) ||
  one.name.localeCompare(other.name);

/** Subscribed channels. They are sorted when one of them changes, not for each message. */
const ownChannels = computed(() =>
  [...channels.value.values()]
    .filter(({ standing, is_archived }) => standing === "subscribed" && !is_archived)
    .sort(byOrder),
);

/** Subscribed channels: pinned ones first, then by folder, then those without a folder. */
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

/** The unread topics of a channel, the newest first, and the open topic. */
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
