import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { cached } from "../../memory/cached";

/** A group of channels that newcomers may choose. */
export interface DefaultGroup {
  id: number;
  name: string;
  description: string;
  /** Ascending. */
  channelIds: readonly number[];
}

const selectAll = statement((db, t, given: Given<{ realmId: number }>) =>
  db
    .select({
      id: t.defaultChannelGroups.id,
      name: t.defaultChannelGroups.name,
      description: t.defaultChannelGroups.description,
      channelId: t.defaultChannelGroupChannels.channelId,
    })
    .from(t.defaultChannelGroups)
    .leftJoin(
      t.defaultChannelGroupChannels,
      and(
        eq(t.defaultChannelGroupChannels.realmId, t.defaultChannelGroups.realmId),
        eq(t.defaultChannelGroupChannels.groupId, t.defaultChannelGroups.id),
      ),
    )
    .where(eq(t.defaultChannelGroups.realmId, given.realmId))
    .orderBy(asc(t.defaultChannelGroups.id), asc(t.defaultChannelGroupChannels.channelId)),
);

/** The groups of a realm by name. */
export const listDefaultGroups = cached(
  ["default_channel_groups", "default_channel_group_channels"],
  async (reader, realmId): Promise<readonly DefaultGroup[]> =>
    grouped(await selectAll(reader, { realmId })),
  { isOneRead: true },
);

function grouped(rows: Awaited<ReturnType<typeof selectAll>>): DefaultGroup[] {
  const groups = new Map<number, DefaultGroup & { channelIds: number[] }>();
  for (const { id, name, description, channelId } of rows) {
    const group = groups.get(id) ?? { id, name, description, channelIds: [] };
    groups.set(id, group);
    if (channelId !== null) group.channelIds.push(channelId);
  }
  return [...groups.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The groups with these ids; ids of no group are left out. */
export async function findDefaultGroups(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<DefaultGroup[]> {
  return (await listDefaultGroups(reader, realmId)).filter(({ id }) => ids.includes(id));
}
