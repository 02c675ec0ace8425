import {
  type DefaultGroup,
  findDefaultGroups,
  listDefaultGroups,
} from "../../../channels/default-channel-groups/queries";
import {
  changeDefaultGroupChannelsIn,
  cleanDescription,
  cleanGroupName,
  createDefaultGroupIn,
  updateDefaultGroupIn,
} from "../../../channels/default-channel-groups/service";
import { channelKey, findChannelsByIds } from "../../../channels/queries";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import type { Dumping } from "../dumping";
import {
  type Item,
  openMapping,
  readItems,
  readText,
  readTexts,
  refuseRepeatedTexts,
  requireText,
} from "../file/decode";
import type { Path, Problem } from "../file/problems";
import { differenceOf, type Planning } from "../planning";
import type { Work } from "../work";

export interface DeclaredDefaultGroup {
  name: string;
  description: string | undefined;
  channels: string[] | undefined;
}

/** Groups of channels that newcomers may choose, identified by their names ignoring case. */
export const defaultGroups: Declarable = {
  read: (root) => ({
    default_groups: readItems(root, "default_groups").map((item) => readGroup(root.problems, item)),
  }),
  check(declaration, problems) {
    const names = declaration.default_groups.map(({ name }) => name);
    refuseRepeatedTexts(problems, { part: "default_groups", key: "name" }, names);
  },
  load: async ({ reader, realm }) => ({
    defaultGroups: await listDefaultGroups(reader, realm.id),
  }),
  plan: planGroups,
  dump: (dumping) => ({ default_groups: dumpGroups(dumping) }),
};

function readGroup(problems: Problem[], { path, value }: Item): DeclaredDefaultGroup {
  const keys = ["name", "description", "channels"];
  const node = openMapping(problems, path, value, "a default group", keys);
  return {
    name: requireText(node, "name", cleanGroupName),
    description: readText(node, "description", cleanDescription),
    channels: readTexts(node, "channels", (text) => text.trim()),
  };
}

const isNamed = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function planGroups(planning: Planning) {
  const { declaration, stored, changes } = planning;
  for (const [index, group] of declaration.default_groups.entries()) {
    const path = ["default_groups", index];
    if (!mayBeIn(planning, group, path)) continue;
    const present = stored.defaultGroups.find((one) => isNamed(one.name, group.name));
    if (!present) changes.push(addGroup(path, group));
    else planChanges(planning, path, present, group);
  }
}

/**
 * Whether all declared channels of a group may be in it after the plan. Adds a problem for each
 * channel that may not.
 */
function mayBeIn(planning: Planning, { channels = [] }: DeclaredDefaultGroup, path: Path): boolean {
  const problems = [...channels.entries()].flatMap(([place, name]) => {
    const message = whyNotIn(planning, name);
    return message === undefined ? [] : [{ path: [...path, "channels", place], message }];
  });
  planning.problems.push(...problems);
  return problems.length === 0;
}

function whyNotIn({ declaration, stored }: Planning, name: string): string | undefined {
  const key = channelKey(name);
  const declared = declaration.channels.find((one) => channelKey(one.name) === key);
  const present = stored.channels.find((one) => one.nameKey === key && !one.isArchived);
  if (!declared && !present) return `there is no channel '${name}', here or in the organization.`;
  const isPrivate = declared?.private ?? present?.inviteOnly ?? false;
  return isPrivate ? `the channel '${name}' is private: newcomers cannot choose it.` : undefined;
}

function planChanges(
  { stored, changes }: Planning,
  path: Path,
  { id: groupId, name, description, channelIds }: DefaultGroup,
  asked: DeclaredDefaultGroup,
) {
  if (asked.description !== undefined && asked.description !== description)
    changes.push({
      lines: [`~ default group ${name}: description ${JSON.stringify(asked.description)}`],
      path,
      carryOut: ({ tx, ctx }) =>
        updateDefaultGroupIn(tx, ctx, { groupId, newDescription: asked.description }),
    });
  if (asked.channels === undefined) return;
  const held = stored.channels.filter(({ id }) => channelIds.includes(id));
  const { add, remove } = differenceOf(
    asked.channels.map(channelKey),
    held.map(({ nameKey }) => nameKey),
  );
  const lines = [
    ...add.map((one) => `+ channel ${one} in ${name}`),
    ...remove.map((one) => `- channel ${one} in ${name}`),
  ];
  const { channels } = asked;
  if (lines.length > 0)
    changes.push({ lines, path, carryOut: (work) => setChannels(work, groupId, channels) });
}

/**
 * Changes the channels of a group. Channels that became private in this write have already been
 * removed from it.
 */
async function setChannels({ tx, ctx }: Work, groupId: number, wanted: readonly string[]) {
  const realmId = ctx.realm.id;
  const [group] = await findDefaultGroups(tx, realmId, [groupId]);
  const channels = await findChannelsByIds(tx, realmId, group?.channelIds ?? []);
  const { add, remove } = differenceOf(
    wanted.map(channelKey),
    channels.map(({ nameKey }) => nameKey),
  );
  for (const [op, streamNames] of [
    ["add", add],
    ["remove", remove],
  ] as const)
    if (streamNames.length > 0)
      await changeDefaultGroupChannelsIn(tx, ctx, { groupId, op, streamNames });
}

const addGroup = (
  path: Path,
  { name, description = "", channels = [] }: DeclaredDefaultGroup,
): Change => ({
  lines: [`+ default group ${name}`, ...channels.map((one) => `+ channel ${one} in ${name}`)],
  path,
  carryOut: ({ tx, ctx }) =>
    createDefaultGroupIn(tx, ctx, { groupName: name, description, streamNames: channels }),
});

const dumpGroups = ({ stored }: Dumping) =>
  stored.defaultGroups.map(({ name, description, channelIds }) => ({
    name,
    description,
    channels: stored.channels.filter(({ id }) => channelIds.includes(id)).map((one) => one.name),
  }));
