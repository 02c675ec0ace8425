import type { Channel } from "../model/channels";
import { groupsToHold, systemNameOf } from "../model/permission-holders";
import type { GroupSettingValue } from "../model/wire";
import { patch, Refusal } from "../net/api";
import { SelectRow } from "../settings/controls";
import { userName } from "../store/names";
import { controlOf } from "../store/own-channels";
import { saveUntilTold } from "../store/saving";
import { channels, groups, model } from "../store/state";
import { channelWords } from "../words/channels";

const { permissions: own } = channelWords;

type OfferedPermission = keyof typeof own.names;

/** Value of the line for people and groups that are named one by one. */
const several = "several";

const lineOf = (value: GroupSettingValue | undefined): string =>
  typeof value === "number" ? String(value) : several;

interface PermissionProps {
  channel: Channel;
  name: OfferedPermission;
}

/** A permission of a channel, which is given to one group. */
export function PermissionRow({ channel, name }: PermissionProps) {
  const { stream_id: id } = channel;
  const value = channel[name];
  const { label, help } = own.names[name];
  const offered = groupsToHold(model.value, name, value).map(
    (group) => [String(group.id), groupTitle(group.id)] as const,
  );
  return (
    <SelectRow
      control={controlOf(id, name)}
      label={label}
      help={isForEverybody(value) ? undefined : help}
      value={lineOf(value)}
      options={typeof value === "number" ? offered : [[several, holdersOf(value)], ...offered]}
      choose={(line) => (line === several ? undefined : give({ id, name, line, before: value }))}
    />
  );
}

function isForEverybody(value: GroupSettingValue): boolean {
  const group = typeof value === "number" ? groups.value.get(value) : undefined;
  return group !== undefined && systemNameOf(group) === "role:everyone";
}

interface Gift {
  id: number;
  name: OfferedPermission;
  /** Line of the group that is to have the permission. */
  line: string;
  /** The value that the person saw. */
  before: GroupSettingValue;
}

/** Choices of a control that are under way. */
interface UnderWay {
  count: number;
  /** The value that the last accepted one has set; before that, the one that the person saw. */
  value: GroupSettingValue;
}

const underWay = new Map<string, UnderWay>();

/**
 * Gives a permission to a group, unless somebody else has changed it meanwhile. A choice that
 * follows quickly expects the value of the one before, which the page may not show yet.
 */
async function give({ id, name, line, before }: Gift): Promise<void> {
  const control = controlOf(id, name);
  const pending = underWay.get(control) ?? { count: 0, value: before };
  underWay.set(control, pending);
  pending.count += 1;
  const send = async () => {
    try {
      const change = JSON.stringify({ new: Number(line), old: pending.value });
      await patch("/streams/{stream_id}", { stream_id: id, [name]: change });
      pending.value = Number(line);
    } catch (error) {
      throw withOwnWords(error);
    }
  };
  await saveUntilTold(control, send, () => lineOf(channels.value.get(id)?.[name]) === line);
  pending.count -= 1;
  if (pending.count === 0) underWay.delete(control);
}

/** A refusal for clients in words for people. */
const withOwnWords = (error: unknown): unknown =>
  error instanceof Refusal && error.code === "EXPECTATION_MISMATCH"
    ? new Refusal(error.status, error.code, own.changedMeanwhile)
    : error;

function groupTitle(groupId: number): string {
  const group = groups.value.get(groupId);
  const systemName = group && systemNameOf(group);
  return systemName ? own.groups[systemName] : (group?.name ?? own.unknownGroup);
}

const namedMax = 4;

/** People and groups that are named one by one; of many the first ones. */
function holdersOf(value: Exclude<GroupSettingValue, number>): string {
  const { direct_members: people, direct_subgroups: held } = value;
  const all = [...held.map(groupTitle), ...people.map((id) => userName(id))];
  return own.several(all.slice(0, namedMax), Math.max(0, all.length - namedMax));
}
