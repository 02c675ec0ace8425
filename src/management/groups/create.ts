import { eq } from "drizzle-orm";
import { accountOf } from "../../core/account";
import { type AuditFacts, storedFacts } from "../../core/audit";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, ids, optional, record, text } from "../../core/params";
import {
  givenPermissions,
  groupSettingParameter,
  parseStoredSettings,
  permissionParameters,
  readGroupSettingValue,
  type StoredGroupSetting,
  systemDefault,
} from "../../core/rights/group-setting";
import { isLookAlikeTaken, noteName } from "../../core/text/look-alikes";
import { cleanName, cleanText } from "../../core/text/name";
import { write } from "../../core/write";
import { groupAdded } from "../../people/user-groups/events";
import {
  type GivenSettings,
  type UserGroupSettingName,
  userGroupCreatorSettings,
  userGroupSettings,
} from "../../people/user-groups/group-settings";
import { requireRoomForGroup } from "../../people/user-groups/limits";
import { requireMay } from "../../people/user-groups/may";
import { requireMember } from "../../people/user-groups/permission";
import { findGroupByName, type UserGroupRow } from "../../people/user-groups/queries";
import { checkGroupSetting } from "../../people/user-groups/setting-value";
import { groupWire } from "../../people/user-groups/wire";
import { renewContext } from "../../people/users/renew-context";
import { systemGroupIds } from "../../people/users/system-group-membership";
import { lengthsMax } from "../../protocol/limits";
import { addSubgroups, insertMembers, loadNewMembers } from "./members";

/** Prefixes with another meaning where a mention or a permission names the group. */
const reservedPrefixes = ["@", "role:", "user:", "stream:", "channel:"];

/**
 * The stored form of a group's name; refuses one that is blank, too long, or begins with a reserved
 * prefix.
 */
export function cleanGroupName(name: string): string {
  const cleaned = cleanName("The group's name", name, lengthsMax.userGroupName);
  const prefix = reservedPrefixes.find((one) => cleaned.startsWith(one));
  if (prefix !== undefined) throw badRequest(`The group's name must not begin with '${prefix}'.`);
  return cleaned;
}

export const cleanGroupDescription = (description: string) =>
  cleanText("The group's description", description, lengthsMax.userGroupDescription);

/** Parts of a new group; ids are of users and groups of the realm. */
export interface NewGroup {
  name: string;
  description: string;
  memberIds: readonly number[];
  subgroupIds: readonly number[];
  /** Values of permissions as on the wire; others get their default. */
  settings?: GivenSettings;
}

export const CreateUserGroup = record({
  name: text(),
  description: text(),
  members: ids(),
  subgroups: optional(ids()),
  ...permissionParameters(userGroupSettings, groupSettingParameter),
});

/** Makes a user group and answers its id; see `createGroupIn`. */
export async function createUserGroup(
  ctx: Context,
  input: Input<typeof CreateUserGroup>,
): Promise<{ group_id: number }> {
  const { name, description, members, subgroups = [] } = input;
  const settings = givenPermissions(userGroupSettings, input);
  const group = { name, description, memberIds: members, subgroupIds: subgroups, settings };
  return { group_id: (await createGroup(ctx, group)).id };
}

/** Creates a group by parsed input; answers its row. */
export const createGroup = (ctx: Context, input: NewGroup): Promise<UserGroupRow> =>
  write(ctx, async (tx) => createGroupIn(tx, await renewContext(tx, ctx), input));

/**
 * Creates a group, as part of a write; answers its row. Its creator manages it and adds members,
 * unless `settings` say otherwise. Events: user_group add, then add_subgroups if it has any, to the
 * realm. Refuses an actor who may not create groups or has made too many, a name in use, missing
 * users and groups, and values that a permission may not have. Source:
 * `docs/protocol/specification.md`, POST /user_groups/create.
 */
export async function createGroupIn(tx: Tx, ctx: Context, input: NewGroup): Promise<UserGroupRow> {
  await requireMember(tx, ctx);
  await requireMay(tx, ctx, mayNotCreate, { realm: "can_create_groups" });
  await requireRoomForGroup(tx, ctx);
  const members = await loadNewMembers(tx, ctx.realm.id, input.memberIds);
  const memberIds = members.map(({ id }) => id).sort((a, b) => a - b);
  const group = await insertGroup(tx, ctx, input);
  await insertMembers(tx, group, memberIds);
  const ids = await systemGroupIds(tx, ctx.realm.id);
  await tx.emit(
    { to: "realm" },
    groupAdded({ group: groupWire({ group, memberIds, subgroupIds: [] }, ids) }),
  );
  if (input.subgroupIds.length > 0) await addSubgroups(tx, group, input.subgroupIds);
  const after = { ...groupFacts(group), members: memberIds, subgroups: input.subgroupIds };
  tx.audit(ctx, { action: "group.create", kind: "group", ids: [group.id], after });
  return group;
}

/** A group as the audit log describes it, with its permissions. */
export const groupFacts = ({ name, description, settings }: UserGroupRow): AuditFacts => ({
  name,
  description,
  ...storedFacts(settings),
});

const mayNotCreate = () =>
  badRequest("You do not have permission to create user groups. Ask an administrator.");

async function insertGroup(tx: Tx, ctx: Context, input: NewGroup): Promise<UserGroupRow> {
  const creatorId = accountOf(ctx.actor)?.id ?? null;
  const name = cleanGroupName(input.name);
  const settings = await settingsOfNewGroup(tx, ctx, creatorId, input.settings ?? new Map());
  await requireOwnLook(tx, ctx.realm.id, name);
  const [group] = await tx.db
    .insert(tx.t.userGroups)
    .values({
      realmId: ctx.realm.id,
      name,
      description: cleanGroupDescription(input.description),
      isSystem: false,
      creatorId,
      settings: JSON.stringify(settings),
      createdAt: tx.now,
    })
    .onConflictDoNothing()
    .returning();
  if (!group) throw groupNameInUse(name);
  noteName(tx, "user groups", group);
  return group;
}

/**
 * Refuses (BAD_REQUEST) a name of another group, deactivated or not, and one that looks like such a
 * name.
 */
export async function requireOwnLook(tx: Tx, realmId: number, name: string, exceptId?: number) {
  const other = await findGroupByName(tx, realmId, name);
  if (other && other.id !== exceptId) throw groupNameInUse(name);
  const isTaken = await isLookAlikeTaken(tx, "user groups", { name, exceptId }, async () => {
    const { userGroups } = tx.t;
    const names = tx.db.select({ id: userGroups.id, name: userGroups.name }).from(userGroups);
    return names.where(eq(userGroups.realmId, realmId));
  });
  if (isTaken)
    throw badRequest(`'${name}' looks like the name of another user group. Choose another one.`);
}

const groupNameInUse = (name: string) => badRequest(`There is already a user group '${name}'.`);

async function settingsOfNewGroup(
  tx: Tx,
  { realm }: Context,
  creatorId: number | null,
  given: GivenSettings,
) {
  const settings: Record<string, StoredGroupSetting> =
    creatorId === null ? {} : userGroupCreatorSettings(creatorId);
  for (const [name, value] of given) {
    const setting = { name, permission: userGroupSettings[name] };
    noteSetting(
      settings,
      name,
      await checkGroupSetting(tx, realm.id, setting, readGroupSettingValue(name, value)),
    );
  }
  return settings;
}

/** Stores a permission's value if it differs from the default. */
function noteSetting(
  settings: Record<string, unknown>,
  name: UserGroupSettingName,
  value: StoredGroupSetting,
) {
  if (value === systemDefault(userGroupSettings[name])) delete settings[name];
  else settings[name] = value;
}

/**
 * Stored settings of a group after a change of some permissions. `stored` is
 * `user_groups.settings`.
 */
export function withSettings(
  stored: string,
  values: ReadonlyMap<UserGroupSettingName, StoredGroupSetting>,
): string {
  const settings = parseStoredSettings(stored);
  for (const [name, value] of values) noteSetting(settings, name, value);
  return JSON.stringify(settings);
}
