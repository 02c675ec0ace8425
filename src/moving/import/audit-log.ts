import type { StoredValue } from "../../../db/stored-rows";
import { type AuditFacts, storedFacts } from "../../core/audit";
import { isRecord } from "../../core/json/record";
import { namesChannel } from "../../realm/channel-settings";
import { isRealmSettingName } from "../../realm/settings";
import { mapGroupSetting } from "./group-setting";
import { type Numbered, type Shifts, shiftId } from "./shifts";

type Row = Readonly<Record<string, StoredValue>>;

/**
 * Tables that contain the targets of acts, by the kind of target, for the kinds that exports
 * contain.
 */
const targetTables: Readonly<Record<string, Numbered>> = {
  attachment: "attachments",
  channel: "channels",
  default_group: "default_channel_groups",
  folder: "channel_folders",
  group: "user_groups",
  linkifier: "linkifiers",
  message: "messages",
  playground: "playgrounds",
  profile_field: "profile_fields",
  user: "users",
};

/** Tables to which the ids in the details of acts belong, by the names of the details. */
const factTables: Readonly<Record<string, Numbered>> = {
  channel_id: "channels",
  channel_ids: "channels",
  folder_id: "channel_folders",
  group_ids: "user_groups",
  inviter_id: "users",
  members: "users",
  owner_id: "users",
  requested_by: "users",
  sender_id: "users",
  subgroup_ids: "user_groups",
  subgroups: "user_groups",
  subscriber_ids: "users",
  user_ids: "users",
};

/**
 * Details that name keys, sessions and invitations. These are dropped, because no export contains
 * such objects.
 */
const goneFacts = ["all_but", "ended_key_ids", "invitation_id", "key_id", "key_ids", "session_ids"];

const tableOf = (row: Row) => targetTables[String(row["target_kind"])];

/**
 * Mapped ids of the objects of an act. Ids of objects that the export does not contain are dropped.
 */
export function targetIdsOfAct(shifts: Shifts, row: Row, ids: readonly number[]): number[] {
  const of = tableOf(row);
  return of === undefined ? [] : ids.flatMap((id) => shiftId(shifts, of, id) ?? []);
}

/** The details of an act with mapped ids. */
export function mapDetails(shifts: Shifts, row: Row, details: string): string {
  const { before, after } = storedFacts(details);
  const map = (facts: unknown) => (isRecord(facts) ? mapFacts(shifts, row, facts) : {});
  return JSON.stringify({ before: map(before), after: map(after) });
}

function mapFacts(shifts: Shifts, row: Row, facts: AuditFacts): AuditFacts {
  const kept = Object.entries(facts).filter(([name]) => !goneFacts.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, mapFact(shifts, row, name, value)]));
}

function mapFact(shifts: Shifts, row: Row, name: string, value: unknown): unknown {
  const of = name === "order" ? tableOf(row) : tableOfFact(name);
  if (of !== undefined) return mapIds(shifts, of, value);
  const isPermission = isRecord(value) || (name.startsWith("can_") && typeof value === "number");
  if (!isPermission) return value;
  return mapGroupSetting((table, id) => shiftId(shifts, table, id), value) ?? null;
}

const tableOfFact = (name: string): Numbered | undefined =>
  isRealmSettingName(name) && namesChannel(name) ? "channels" : factTables[name];

/** A mapped id, or mapped ids; -1 stands for none in some settings. */
function mapIds(shifts: Shifts, of: Numbered, value: unknown): unknown {
  if (typeof value === "number") return value < 0 ? value : (shiftId(shifts, of, value) ?? null);
  if (!Array.isArray(value)) return value;
  return value.flatMap((one) =>
    typeof one === "number" ? (shiftId(shifts, of, one) ?? []) : [one],
  );
}
