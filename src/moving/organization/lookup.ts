import { listFolders } from "../../channels/channel-folders/queries";
import { findChannelByName } from "../../channels/queries";
import type { App, Context, RealmRow, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import {
  canonicalGroupSetting,
  type GroupSettingValue,
  isSystemGroupName,
} from "../../core/rights/group-setting";
import { listProfileFields } from "../../management/profile-fields/queries";
import { findGroupByName, type UserGroupRow } from "../../people/user-groups/queries";
import { findUserByEmail, listUsers } from "../../people/users/queries";
import { findRealmByHost, listRealms } from "../../realm/queries";

/** Every organization of the server, oldest first. */
export const listOrganizations = ({ engine }: App): Promise<RealmRow[]> =>
  listRealms(engine.reader);

/**
 * The organization at a host, or the only one. Refuses (BAD_REQUEST) when there is none, or when
 * there are several and no host is given.
 */
export async function loadOrganization(
  { engine }: App,
  host: string | undefined,
): Promise<RealmRow> {
  const realms = await listRealms(engine.reader);
  const hosts = realms.map((realm) => realm.host).join(", ");
  if (host !== undefined) {
    const realm = await findRealmByHost(engine.reader, host);
    if (!realm)
      throw badRequest(
        `There is no organization at '${host}'${hosts === "" ? "" : `. There is: ${hosts}`}.`,
      );
    return realm;
  }
  const [only, ...others] = realms;
  if (!only)
    throw badRequest(
      "There is no organization yet. Make one: chatd admin realm create --name NAME --host HOST",
    );
  if (others.length > 0)
    throw badRequest(`There are several organizations. Choose one with --realm HOST: ${hosts}.`);
  return only;
}

/** All people and bots in the organization, including deactivated ones. */
export const listAccounts = ({ reader, realm }: Context): Promise<readonly UserRow[]> =>
  listUsers(reader, realm.id);

/** An account by e-mail address; refuses an unknown one (BAD_REQUEST). */
export async function loadAccount({ reader, realm }: Context, email: string): Promise<UserRow> {
  const user = await findUserByEmail(reader, realm.id, email);
  if (!user)
    throw badRequest(`Nobody in ${realm.name} (${realm.host}) has the e-mail address '${email}'.`);
  return user;
}

/** The id of a channel by its name, ignoring case; refuses an unknown name (BAD_REQUEST). */
export async function loadChannelId({ reader, realm }: Context, name: string): Promise<number> {
  const channel = await findChannelByName(reader, realm.id, name);
  if (!channel) throw badRequest(`There is no channel '${name}' in ${realm.name} (${realm.host}).`);
  return channel.id;
}

/**
 * The id of a channel folder by its name, ignoring case. An archived folder is found only if no
 * active folder has the name. Refuses an unknown name (BAD_REQUEST).
 */
export async function loadFolderId({ reader, realm }: Context, name: string): Promise<number> {
  const named = (await listFolders(reader, realm.id)).filter(
    (one) => one.name.toLowerCase() === name.toLowerCase(),
  );
  const folder = named.find(({ isArchived }) => !isArchived) ?? named[0];
  if (!folder)
    throw badRequest(`There is no channel folder '${name}' in ${realm.name} (${realm.host}).`);
  return folder.id;
}

/** The id of a profile field by its exact name; refuses an unknown name (BAD_REQUEST). */
export async function loadProfileFieldId(
  { reader, realm }: Context,
  name: string,
): Promise<number> {
  const field = (await listProfileFields(reader, realm.id)).find((one) => one.name === name);
  if (!field)
    throw badRequest(`There is no profile field '${name}' in ${realm.name} (${realm.host}).`);
  return field.id;
}

/** Sentence for somebody who names a role in place of its group; empty for other names. */
export const roleHint = (name: string) =>
  isSystemGroupName(`role:${name}`) ? ` People with that role are role:${name}.` : "";

const unknownGroup = ({ name: realmName, host }: RealmRow, name: string) =>
  badRequest(`There is no user group '${name}' in ${realmName} (${host}).${roleHint(name)}`);

/**
 * A user group by its exact name, including deactivated ones; refuses an unknown name
 * (BAD_REQUEST).
 */
export async function loadNamedGroup(
  { reader, realm }: Context,
  name: string,
): Promise<UserGroupRow> {
  const group = await findGroupByName(reader, realm.id, name);
  if (!group) throw unknownGroup(realm, name);
  return group;
}

/**
 * The value of a permission, from names of groups and e-mail addresses of people. Refuses unknown
 * ones (BAD_REQUEST).
 */
export async function loadHolders(
  ctx: Context,
  names: readonly string[],
): Promise<GroupSettingValue> {
  const { reader, realm } = ctx;
  const members: number[] = [];
  const groups: number[] = [];
  for (const name of names) {
    const group = await findGroupByName(reader, realm.id, name);
    if (group) groups.push(group.id);
    else if (name.includes("@")) members.push((await loadAccount(ctx, name)).id);
    else throw unknownGroup(realm, name);
  }
  return canonicalGroupSetting({ direct_members: members, direct_subgroups: groups });
}
