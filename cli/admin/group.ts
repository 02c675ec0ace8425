import type { Context } from "../../src/core/context";
import {
  deactivateUserGroup,
  reactivateUserGroup,
  requireUnused,
} from "../../src/management/groups/activity";
import { createGroup as createGroupVerb } from "../../src/management/groups/create";
import { updateGroupMembers } from "../../src/management/groups/members";
import { changeGroup } from "../../src/management/groups/update";
import { countGroup } from "../../src/moving/figures/consequences";
import { loadAccount, loadNamedGroup } from "../../src/moving/organization/lookup";
import { userGroupSettings } from "../../src/people/user-groups/group-settings";
import { findGroupByName } from "../../src/people/user-groups/queries";
import { getUserGroups } from "../../src/people/user-groups/read";
import { listed, printAdded } from "../addition";
import { isAgreed } from "../consent";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult, UsageError } from "../output";
import { readPermissions } from "../permissions";

type GroupOptions = RealmOptions & { permission?: string[] };

const listAll = async (ctx: Context) =>
  (await getUserGroups(ctx, { includeDeactivatedGroups: true })).user_groups;

/** A group after a command, in the form of the protocol. */
const shown = async (ctx: Context, groupId: number) => listed(await listAll(ctx), groupId, "group");

type Shown = Awaited<ReturnType<typeof shown>>;

const membersOf = (ctx: Context, emails: readonly string[]) =>
  Promise.all(emails.map(async (email) => (await loadAccount(ctx, email)).id));

const groupsOf = (ctx: Context, names: readonly string[]) =>
  Promise.all(names.map(async (name) => (await loadNamedGroup(ctx, name)).id));

const permissions = { of: "user groups", table: userGroupSettings };

/** `chatd admin group list [--system]` */
export async function listGroups(options: RealmOptions & { system?: boolean }) {
  const all = await withOperator(options, listAll);
  const groups = all.filter((group) => options.system || !group.is_system_group);
  const rows = groups.map((group) => [
    String(group.id),
    group.name,
    String(group.members.length),
    String(group.direct_subgroup_ids.length),
    group.deactivated ? "deactivated" : "active",
    group.description,
  ]);
  printResult(
    options,
    { groups },
    formatTable(["ID", "NAME", "MEMBERS", "SUBGROUPS", "STATE", "DESCRIPTION"], rows),
  );
}

/**
 * `chatd admin group create NAME [--description TEXT] [--member EMAIL…] [--subgroup NAME…]
 * [--permission NAME=HOLDERS…] [--if-missing]`
 */
export async function createGroup(
  name: string,
  options: GroupOptions & { description: string; member?: string[]; subgroup?: string[] },
) {
  const { description, member = [], subgroup = [] } = options;
  await printAdded<Shown>(options, "group", async (ctx) => {
    const settings = await readPermissions(ctx, permissions, options.permission);
    const [memberIds, subgroupIds] = [await membersOf(ctx, member), await groupsOf(ctx, subgroup)];
    return {
      async find() {
        const row = await findGroupByName(ctx.reader, ctx.realm.id, name.trim());
        return row && shown(ctx, row.id);
      },
      async add() {
        const facts = { name, description, memberIds, subgroupIds, settings };
        return shown(ctx, (await createGroupVerb(ctx, facts)).id);
      },
      added: (group) => `Created the user group ${group.name} (ID ${group.id}).`,
      describe: describeGroup,
    };
  });
}

const describeGroup = ({ id, name, members, deactivated }: Shown) =>
  `There is a user group ${name} already (ID ${id}, ${members.length} members${deactivated ? ", deactivated" : ""}).`;

/**
 * `chatd admin group update GROUP [--name NAME] [--description TEXT] [--permission NAME=HOLDERS…]`
 */
export async function updateGroup(
  group: string,
  options: GroupOptions & { name?: string; description?: string },
) {
  const { name, description } = options;
  if (name === undefined && description === undefined && options.permission === undefined) {
    throw new UsageError("Nothing to change: give --name, --description or --permission.");
  }
  const updated = await withOperator(options, async (ctx) => {
    const { id } = await loadNamedGroup(ctx, group);
    const values = await readPermissions(ctx, permissions, options.permission);
    const settings = new Map(
      [...values].map(([permission, value]) => [permission, { new: value }]),
    );
    await changeGroup(ctx, id, { name, description, settings });
    return shown(ctx, id);
  });
  printResult(options, { group: updated }, [`Changed the user group ${updated.name}.`]);
}

/** `chatd admin group members add|remove GROUP [EMAIL…] [--subgroup NAME…]` */
export async function changeMembers(
  verb: "add" | "remove",
  name: string,
  emails: string[],
  options: RealmOptions & { subgroup?: string[]; ifMissing?: boolean },
) {
  const { subgroup = [], ifMissing = false } = options;
  if (emails.length + subgroup.length === 0)
    throw new UsageError("Name the members: give e-mail addresses, or --subgroup NAME.");
  const group = await withOperator(options, async (ctx) => {
    const { id: userGroupId } = await loadNamedGroup(ctx, name);
    const [userIds, groupIds] = [await membersOf(ctx, emails), await groupsOf(ctx, subgroup)];
    const before = await shown(ctx, userGroupId);
    // Existing members would make the server refuse the whole command.
    const isWanted = (of: readonly number[]) => (id: number) => !ifMissing || !of.includes(id);
    const change =
      verb === "add"
        ? {
            add: userIds.filter(isWanted(before.members)),
            addSubgroups: groupIds.filter(isWanted(before.direct_subgroup_ids)),
          }
        : { delete: userIds, deleteSubgroups: groupIds };
    if (Object.values(change).every((ids) => ids.length === 0)) return before;
    await updateGroupMembers(ctx, { userGroupId, ...change });
    return shown(ctx, userGroupId);
  });
  const line =
    verb === "add"
      ? `Added to the user group ${group.name}`
      : `Removed from the user group ${group.name}`;
  printResult(options, { group }, [`${line}: ${[...emails, ...subgroup].join(", ")}.`]);
}

/** `chatd admin group deactivate GROUP` */
export async function deactivate(name: string, options: RealmOptions) {
  const group = await withOperator(options, async (ctx) => {
    const row = await loadNamedGroup(ctx, name);
    await requireUnused(ctx.reader, ctx, row);
    const plan = {
      act: `deactivate the user group ${row.name}`,
      name: row.name,
      figures: await countGroup(ctx, row),
      notes: ["Nobody can mention it any more; chatd admin group reactivate brings it back."],
    };
    if (!(await isAgreed(options, plan))) return undefined;
    await deactivateUserGroup(ctx, { userGroupId: row.id });
    return shown(ctx, row.id);
  });
  if (!group) return;
  printResult(options, { group }, [`Deactivated the user group ${group.name}.`]);
}

/** `chatd admin group reactivate GROUP` */
export async function reactivate(name: string, options: RealmOptions) {
  const group = await withOperator(options, async (ctx) => {
    const { id } = await loadNamedGroup(ctx, name);
    await reactivateUserGroup(ctx, id);
    return shown(ctx, id);
  });
  printResult(options, { group }, [`Reactivated the user group ${group.name}.`]);
}
