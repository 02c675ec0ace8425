import { type ChannelRow, channelKey } from "../../channels/queries";
import type { Context, Tx } from "../../core/context";
import { emailKeyOf } from "../../people/users/queries";
import type { RenderedDescriptions } from "../../realm/descriptions";
import type { ReadyPictures } from "./pictures";
import type { Stored } from "./stored";

/** Hashes of passwords by e-mail address, as in the file. */
export type PasswordHashes = ReadonlyMap<string, string>;

/** Data that is made before the write, because making it takes long. */
export interface Prepared {
  hashes: PasswordHashes;
  pictures: ReadyPictures;
  descriptions: RenderedDescriptions;
}

/**
 * Data for carrying out changes: ids and rows by the names that changes use. New objects are added
 * to it.
 */
export interface Work extends Prepared {
  tx: Tx;
  /** Context with the organization as the last change of it has left it. */
  ctx: Context;
  users: Map<string, number>;
  groups: Map<string, number>;
  channels: Map<string, ChannelRow>;
  /** By name in lower case. */
  folders: Map<string, number>;
}

/** Data for changes that were planned from stored data. */
export const workOn = (tx: Tx, ctx: Context, stored: Stored, prepared: Prepared): Work => ({
  tx,
  ctx,
  ...prepared,
  users: new Map(stored.users.map(({ emailKey, id }) => [emailKey, id])),
  groups: new Map(stored.groups.map(({ group }) => [group.name, group.id])),
  channels: new Map(stored.channels.map((channel) => [channel.nameKey, channel])),
  folders: new Map(
    stored.folders.filter((one) => !one.isArchived).map(({ name, id }) => [name.toLowerCase(), id]),
  ),
});

/**
 * The object with a name of the plan. It exists, because the plan has found it, or an earlier
 * change of the plan has made it.
 */
function requireNamed<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The plan names '${name}', which is not there.`);
  return value;
}

export const userId = ({ users }: Work, email: string) =>
  requireNamed(users.get(emailKeyOf(email)), email);

export const userIds = (work: Work, emails: readonly string[]) =>
  emails.map((email) => userId(work, email));

export const groupId = ({ groups }: Work, name: string) => requireNamed(groups.get(name), name);

export const channelNamed = ({ channels }: Work, name: string) =>
  requireNamed(channels.get(channelKey(name)), name);

/**
 * The id of a folder by its name. Null means no folder, and undefined means unchanged; both are
 * answered as they are.
 */
export const folderId = ({ folders }: Work, name: string | null | undefined) =>
  name === null || name === undefined ? name : requireNamed(folders.get(name.toLowerCase()), name);
