import type { Reader } from "../../../db/reader";
import type { FolderRow } from "../../channels/channel-folders/queries";
import type { DefaultGroup } from "../../channels/default-channel-groups/queries";
import type { ChannelRow } from "../../channels/queries";
import type { App, RealmRow, UserRow } from "../../core/context";
import type { SystemGroupIds } from "../../core/rights/group-setting";
import type { Playground } from "../../management/playgrounds/queries";
import type { ProfileField } from "../../management/profile-fields/queries";
import type { BotRow } from "../../people/bots/queries";
import type { GroupWithMembers } from "../../people/user-groups/queries";
import type { Domain } from "../../realm/domains/queries";
import type { Linkifier } from "../../realm/linkifiers/queries";
import { loadRealm } from "../../realm/queries";
import type { RealmEmoji } from "../../realm/realm-emoji/queries";
import { declarables } from "./declarables";

/** Everything of a realm that a declaration is compared with. */
export interface Stored {
  realm: RealmRow | undefined;
  /** People and bots, including deactivated ones. */
  users: readonly UserRow[];
  /** Declared passwords that are not hashed yet, by the person's id. */
  awaitedPasswords: ReadonlyMap<number, string>;
  /** Facts about bots in addition to their accounts, by id. */
  bots: ReadonlyMap<number, BotRow>;
  /** The bots that chatd itself sends messages as. */
  systemBots: readonly UserRow[];
  groups: readonly GroupWithMembers[];
  /**
   * The ids of direct members, by the group's id. Deactivated members are included, because they
   * may be reactivated.
   */
  members: ReadonlyMap<number, ReadonlySet<number>>;
  systemGroupIds: SystemGroupIds;
  channels: readonly ChannelRow[];
  defaultGroups: readonly DefaultGroup[];
  /** The ids of subscribers, by the channel's id. Deactivated subscribers are included. */
  subscribers: ReadonlyMap<number, ReadonlySet<number>>;
  domains: readonly Domain[];
  linkifiers: readonly Linkifier[];
  playgrounds: readonly Playground[];
  profileFields: readonly ProfileField[];
  /** Including archived ones. */
  folders: readonly FolderRow[];
  /** Including deactivated ones. */
  emoji: readonly RealmEmoji[];
}

/** Stored data of a realm that does not exist yet. */
export const nothingStored: Stored = {
  realm: undefined,
  users: [],
  awaitedPasswords: new Map(),
  bots: new Map(),
  systemBots: [],
  groups: [],
  members: new Map(),
  systemGroupIds: {},
  channels: [],
  defaultGroups: [],
  subscribers: new Map(),
  domains: [],
  linkifiers: [],
  playgrounds: [],
  profileFields: [],
  folders: [],
  emoji: [],
};

/** Reads a realm. `now` is UNIX seconds. */
export async function readStored(
  app: App,
  reader: Reader,
  realmId: number,
  now: number,
): Promise<Stored> {
  const realm = await loadRealm(reader, realmId);
  let stored = nothingStored;
  for (const { load } of declarables)
    if (load) stored = { ...stored, ...(await load({ app, reader, realm, now }, stored)) };
  return stored;
}
