import type { App } from "../../../core/context";
import { isSystemGroupName } from "../../../core/rights/group-setting";
import type { Names } from "../../../markdown/names";
import type { SystemGroupName } from "../../../protocol/system-groups";
import type { IdSet } from "../../realm-archive/id-set";
import { type Given, givenList, givenNumber, givenRecord, givenText } from "../json";
import type { People } from "../people";
import type { SkipReport } from "../report";
import type { StageWriter } from "../stage-writer";
import type { Unpacked } from "../tarball";
import type { TextMap } from "../texts";

/**
 * Number that is added to the ids of people and groups, because each organization here begins with
 * its system bots and system groups.
 */
export const ownIds = 100;

/** Recipient of a message. */
export type Recipient =
  | { kind: "person"; userId: number }
  | { kind: "channel"; channelId: number }
  | { kind: "group"; id: number };

/**
 * An export of a reference server during its import, with the facts known so far. All ids are those
 * of the staged organization.
 */
export interface Source {
  app: App;
  writer: StageWriter;
  files: Unpacked;
  report: SkipReport;
  accounts: People;
  /** The tables of realm.json. */
  realm: Given;
  /**
   * Makes the name of a file, which cannot be guessed and is equal each time the file is imported.
   */
  tokenOf(name: string): string;
  texts: TextMap;
  people: Map<number, { id: number; fullName: string; isActive: boolean }>;
  /** System bots here, by the ids in the export of the bots that they replace. */
  systemBots: Map<number, number>;
  channels: Map<number, { id: number; name: string; isProtected: boolean }>;
  /** Groups here, including system groups, by their ids in the export. */
  groups: Map<number, number>;
  recipients: Map<number, Recipient>;
  /** The people of group conversations, by the ids of the conversations in the export. */
  huddles: Map<number, Set<number>>;
  conversations: Map<string, number>;
  /** New files by their old addresses below `/user_uploads/`. */
  uploads: Map<string, { id: number; pathId: string }>;
  /** Active emoji by their names. */
  emoji: Map<string, { id: number; fileName: string }>;
  /** The ids of all imported emoji, including deactivated ones. */
  emojiIds: Set<number>;
  names: Names;
  lastMessageId: number;
  /** The ids of all imported messages. */
  messageIds: IdSet;
}

const nobody: SystemGroupName = "role:nobody";

/** The rows of a table of realm.json; none if the table is missing. */
export const tableOf = ({ realm }: Pick<Source, "realm">, name: string): Given[] =>
  givenList(realm[name]);

/** The rows of a table in the order that people have given them. */
export const orderedTableOf = (source: Source, name: string): Given[] =>
  tableOf(source, name).toSorted((a, b) => givenNumber(a["order"]) - givenNumber(b["order"]));

export const secondsOf = (value: unknown): number => {
  const number = typeof value === "string" ? Date.parse(value) / 1_000 : givenNumber(value);
  return Number.isFinite(number) ? Math.floor(number) : 0;
};

/** The id here of a person with an id of the export; undefined for an unknown person. */
export function personOf(
  { people, systemBots }: Pick<Source, "people" | "systemBots">,
  id: unknown,
): number | undefined {
  const own = givenNumber(id) + ownIds;
  return people.has(own) ? own : systemBots.get(givenNumber(id));
}

/**
 * The groups with names, including system groups. Archives from before 9.0 have them, with their
 * own ids, in the table that has groups without names today.
 */
export function namedGroupsOf(source: Pick<Source, "realm">): Given[] {
  const today = tableOf(source, "zerver_namedusergroup");
  if (today.length > 0) return today;
  return tableOf(source, "zerver_usergroup")
    .filter((one) => givenText(one["name"]) !== "")
    .map((one) => ({
      ...one,
      usergroup_ptr: one["id"],
      name: givenText(one["name"]).replace(/^@(?=role:)/, ""),
    }));
}

/** Rows about groups, by the ids of the groups in the export. */
interface GroupRows {
  named: ReadonlyMap<unknown, Given[]>;
  members: ReadonlyMap<unknown, Given[]>;
  inner: ReadonlyMap<unknown, Given[]>;
}

/**
 * The rows by group. They are collected once for an export, because many channels and groups look
 * them up.
 */
const groupRows = new WeakMap<Given, GroupRows>();

function groupRowsOf({ realm }: Pick<Source, "realm">): GroupRows {
  const by = (table: string, column: string) =>
    Map.groupBy(tableOf({ realm }, table), (one) => one[column]);
  const rows = groupRows.get(realm) ?? {
    named: Map.groupBy(namedGroupsOf({ realm }), (one) => one["usergroup_ptr"]),
    members: by("zerver_usergroupmembership", "user_group"),
    inner: by("zerver_groupgroupmembership", "supergroup"),
  };
  groupRows.set(realm, rows);
  return rows;
}

/**
 * Value of a setting whose column names a group of the export: a group of people by its id, a
 * system group by its name, and a group without a name by its members; undefined where the column
 * names none. A group without members, and one that is not imported, become the group of nobody,
 * because the setting's default may be a group of many.
 */
export function groupSettingOf(
  source: Pick<Source, "realm" | "groups" | "people" | "systemBots">,
  id: unknown,
): unknown {
  if (typeof id !== "number") return undefined;
  const rows = groupRowsOf(source);
  const named = rows.named.get(id)?.[0];
  if (named?.["is_system_group"] === true)
    return isSystemGroupName(named["name"]) ? named["name"] : nobody;
  if (named) return source.groups.get(id) ?? nobody;
  const members = rows.members.get(id) ?? [];
  const inner = rows.inner.get(id) ?? [];
  const setting = {
    direct_members: members.flatMap((one) => personOf(source, one["user_profile"]) ?? []),
    direct_subgroups: inner.flatMap((one) => source.groups.get(givenNumber(one["subgroup"])) ?? []),
  };
  return setting.direct_members.length + setting.direct_subgroups.length === 0 ? nobody : setting;
}

/**
 * Settings of people with the organization's choice of who may read addresses. It is a setting of
 * people since 7.0, which then replaces that of the organization.
 */
export function withRealmVisibility(source: Source, given: Given): Given {
  const { email_address_visibility } = realmRow(source);
  return email_address_visibility === undefined ? given : { email_address_visibility, ...given };
}

/** The row of the organization itself. */
export const realmRow = (source: Source): Given => givenRecord(tableOf(source, "zerver_realm")[0]);
