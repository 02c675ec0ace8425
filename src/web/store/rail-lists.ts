import type { Channel } from "../model/channels";
import { topicKey } from "../model/conversations";
import type { NarrowKind } from "../model/narrow-kind";
import { words } from "../words/words";
import { channelFolders, channels, unread } from "./state";

/** Channels of the rail under one heading. */
export interface RailSection {
  readonly key: string;
  readonly name: string;
  readonly channels: readonly Channel[];
}

const byName = ({ name: one }: Channel, { name: other }: Channel) => one.localeCompare(other);

/** Channels that the person is in: those pinned first, then by folder, then those in none. */
export function channelsInRail(): readonly RailSection[] {
  const own = [...channels.value.values()]
    .filter(({ standing, is_archived }) => standing === "subscribed" && !is_archived)
    .sort(byName);
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
  const shown = sections.filter((section) => section.channels.length > 0);
  return shown.length > 0 ? shown : sections.slice(-1);
}

interface RailTopic {
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
