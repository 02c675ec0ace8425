import {
  type DefaultGroup,
  listDefaultGroups as listAll,
} from "../../src/channels/default-channel-groups/queries";
import {
  changeDefaultGroupChannels,
  createDefaultGroup as createVerb,
  removeDefaultGroup as removeVerb,
  updateDefaultGroup as updateVerb,
} from "../../src/channels/default-channel-groups/service";
import { defaultGroupWire } from "../../src/channels/default-channel-groups/wire";
import { listChannels } from "../../src/channels/queries";
import type { Context } from "../../src/core/context";
import { badRequest } from "../../src/core/errors";
import { printAdded } from "../addition";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult, UsageError } from "../output";

const isSameName = (one: string, other: string) => one.toLowerCase() === other.trim().toLowerCase();

const findGroup = async ({ reader, realm }: Context, name: string) =>
  (await listAll(reader, realm.id)).find((group) => isSameName(group.name, name));

async function loadGroup(ctx: Context, name: string): Promise<DefaultGroup> {
  const group = await findGroup(ctx, name);
  if (group) return group;
  const { realm } = ctx;
  throw badRequest(`There is no default channel group '${name}' in ${realm.name} (${realm.host}).`);
}

/** `chatd admin default-group list` */
export async function listDefaultGroups(options: RealmOptions) {
  const { groups, names } = await withOperator(options, async ({ reader, realm }) => ({
    groups: await listAll(reader, realm.id),
    names: new Map((await listChannels(reader, realm.id)).map(({ id, name }) => [id, name])),
  }));
  const rows = groups.map(({ id, name, description, channelIds }) => [
    String(id),
    name,
    channelIds.map((channelId) => names.get(channelId)).join(", "),
    description,
  ]);
  printResult(
    options,
    { default_groups: groups.map(defaultGroupWire) },
    formatTable(["ID", "NAME", "CHANNELS", "DESCRIPTION"], rows),
  );
}

/** `chatd admin default-group create NAME [--description TEXT] [--channel NAME…]` */
export async function createDefaultGroup(
  name: string,
  options: RealmOptions & { description: string; channel?: string[] },
) {
  const { description, channel: streamNames = [] } = options;
  await printAdded(
    options,
    "default_group",
    (ctx) => ({
      find: () => findGroup(ctx, name),
      async add() {
        await createVerb(ctx, { groupName: name, description, streamNames });
        return loadGroup(ctx, name);
      },
      added: (group) => `Created the default channel group ${group.name} (ID ${group.id}).`,
      describe: (group) =>
        `There is a default channel group ${group.name} already (ID ${group.id}).`,
    }),
    defaultGroupWire,
  );
}

/** `chatd admin default-group update GROUP [--name NAME] [--description TEXT]` */
export async function updateDefaultGroup(
  name: string,
  options: RealmOptions & { name?: string; description?: string },
) {
  const { name: newGroupName, description: newDescription } = options;
  if (newGroupName === undefined && newDescription === undefined)
    throw new UsageError("Nothing to change: give --name or --description.");
  await change(name, options, (ctx, { id }) =>
    updateVerb(ctx, { groupId: id, newGroupName, newDescription }),
  );
}

/** `chatd admin default-group channels add GROUP CHANNEL… [--if-missing]`, and `remove` */
export const changeChannels = (
  name: string,
  op: "add" | "remove",
  names: string[],
  options: RealmOptions & { ifMissing?: boolean },
) =>
  change(name, options, async (ctx, group) => {
    const streamNames = options.ifMissing ? await missingIn(ctx, group, names) : names;
    if (streamNames.length > 0)
      await changeDefaultGroupChannels(ctx, { groupId: group.id, op, streamNames });
  });

/** Names of channels among these that are not in a group. */
async function missingIn({ reader, realm }: Context, group: DefaultGroup, names: string[]) {
  const channels = await listChannels(reader, realm.id);
  const held = channels.filter(({ id }) => group.channelIds.includes(id));
  return names.filter((name) => !held.some((channel) => isSameName(channel.name, name)));
}

async function change(
  name: string,
  options: RealmOptions,
  carryOut: (ctx: Context, group: DefaultGroup) => Promise<unknown>,
) {
  const changed = await withOperator(options, async (ctx) => {
    const group = await loadGroup(ctx, name);
    await carryOut(ctx, group);
    return (await listAll(ctx.reader, ctx.realm.id)).find(({ id }) => id === group.id) ?? group;
  });
  printResult(options, { default_group: defaultGroupWire(changed) }, [
    `Changed the default channel group ${changed.name}.`,
  ]);
}

/** `chatd admin default-group remove GROUP` */
export async function removeDefaultGroup(name: string, options: RealmOptions) {
  const group = await withOperator(options, async (ctx) => {
    const found = await loadGroup(ctx, name);
    await removeVerb(ctx, { groupId: found.id });
    return found;
  });
  printResult(options, { default_group: defaultGroupWire(group) }, [
    `Removed the default channel group ${group.name}; its channels stay.`,
  ]);
}
