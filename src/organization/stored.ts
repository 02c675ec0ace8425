import type { Reader } from "../../db/reader";
import type { RealmRow, UserRow } from "../core/context";
import type { SystemGroupIds } from "../core/group-setting";
import { type ChannelRow, listChannels } from "../channels/queries";
import { loadRealm } from "../realm/queries";
import { subscribersByChannel } from "../subscriptions/queries";
import { type GroupWithMembers, listGroups, systemGroupIds } from "../user-groups/queries";
import { listSystemBots, listUsers } from "../users/queries";

/** Everything of a realm that a declaration is compared with. */
export interface Stored {
  realm: RealmRow | undefined;
  /** People and bots, deactivated ones too. */
  users: readonly UserRow[];
  /** The bots that chatd itself speaks through. */
  systemBots: readonly UserRow[];
  groups: readonly GroupWithMembers[];
  systemGroupIds: SystemGroupIds;
  channels: readonly ChannelRow[];
  /** The ids of active subscribers by the channel's id. */
  subscribers: ReadonlyMap<number, readonly number[]>;
}

/** What a realm that does not exist yet holds. */
export const nothingStored: Stored = {
  realm: undefined,
  users: [],
  systemBots: [],
  groups: [],
  systemGroupIds: {},
  channels: [],
  subscribers: new Map(),
};

/** Reads a realm. `now` is UNIX seconds. */
export async function readStored(reader: Reader, realmId: number, now: number): Promise<Stored> {
  const realm = await loadRealm(reader, realmId);
  const channels = await listChannels(reader, realmId);
  const channelIds = channels.map(({ id }) => id);
  return {
    realm,
    users: await listUsers(reader, realmId),
    systemBots: await listSystemBots(reader, realmId),
    groups: await listGroups(reader, { realm, now }),
    systemGroupIds: await systemGroupIds(reader, realmId),
    channels,
    subscribers: await subscribersByChannel(reader, realmId, channelIds),
  };
}
