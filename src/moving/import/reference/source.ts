import type { App } from "../../../core/context";
import type { Names } from "../../../markdown/names";
import { type Given, givenList, givenNumber, givenRecord, givenText } from "../json";
import type { People } from "../people";
import type { SkipReport } from "../report";
import type { StageWriter } from "../stage-writer";
import type { Unpacked } from "../tarball";
import type { TextMap } from "../texts";

/**
 * The ids of people and groups are greater by this number here, because each realm begins with its
 * bots and groups.
 */
export const ownIds = 100;

/** Recipient of a message. */
export type Recipient =
  | { kind: "person"; userId: number }
  | { kind: "channel"; channelId: number }
  | { kind: "group"; id: number };

/**
 * A reference server's export during its import, with the facts known so far. Ids are those of the
 * staged organization.
 */
export interface Source {
  app: App;
  writer: StageWriter;
  files: Unpacked;
  report: SkipReport;
  accounts: People;
  /** The tables of realm.json. */
  realm: Given;
  /** Makes the names of files, which cannot be guessed and are equal each time. */
  tokenOf(name: string): string;
  texts: TextMap;
  people: Map<number, { id: number; fullName: string; isActive: boolean }>;
  /** System bots there with their counterparts here, by their ids there. */
  systemBots: Map<number, number>;
  channels: Map<number, { id: number; name: string; isProtected: boolean }>;
  /** Groups there, system groups too, with those here. */
  groups: Map<number, number>;
  recipients: Map<number, Recipient>;
  /** The people of group conversations, by their ids there. */
  huddles: Map<number, Set<number>>;
  conversations: Map<string, number>;
  /** New files by their old addresses below `/user_uploads/`. */
  uploads: Map<string, { id: number; pathId: string }>;
  emoji: Map<string, { id: number; fileName: string }>;
  names: Names;
  lastMessageId: number;
}

/** The rows of a table of realm.json; none if the table is missing. */
export const tableOf = ({ realm }: Pick<Source, "realm">, name: string): Given[] =>
  givenList(realm[name]);

/** The rows of a table in the order that its people have given them. */
export const orderedTableOf = (source: Source, name: string): Given[] =>
  tableOf(source, name).toSorted((a, b) => givenNumber(a["order"]) - givenNumber(b["order"]));

export const secondsOf = (value: unknown): number => {
  const number = typeof value === "string" ? Date.parse(value) / 1_000 : givenNumber(value);
  return Number.isFinite(number) ? Math.floor(number) : 0;
};

/** The id here of a person there; undefined where they are unknown. */
export function personOf(
  { people, systemBots }: Pick<Source, "people" | "systemBots">,
  id: unknown,
): number | undefined {
  const own = givenNumber(id) + ownIds;
  return people.has(own) ? own : systemBots.get(givenNumber(id));
}

/** Rows about groups by the id of their group there. */
interface GroupRows {
  named: ReadonlyMap<unknown, Given[]>;
  members: ReadonlyMap<unknown, Given[]>;
  inner: ReadonlyMap<unknown, Given[]>;
}

/** Rows by group, put together once for an export, because many channels and groups ask for them. */
const groupRows = new WeakMap<Given, GroupRows>();

function groupRowsOf({ realm }: Pick<Source, "realm">): GroupRows {
  const by = (table: string, column: string) =>
    Map.groupBy(tableOf({ realm }, table), (one) => one[column]);
  const rows = groupRows.get(realm) ?? {
    named: by("zerver_namedusergroup", "usergroup_ptr"),
    members: by("zerver_usergroupmembership", "user_group"),
    inner: by("zerver_groupgroupmembership", "supergroup"),
  };
  groupRows.set(realm, rows);
  return rows;
}

/**
 * Value of a setting whose column names a group there: a group of people by id, a system group by
 * name, another group by its members.
 */
export function groupSettingOf(
  source: Pick<Source, "realm" | "groups" | "people" | "systemBots">,
  id: unknown,
): unknown {
  const given = givenNumber(id);
  const rows = groupRowsOf(source);
  const named = rows.named.get(given)?.[0];
  if (named?.["is_system_group"] === true) return givenText(named["name"]);
  if (named) return source.groups.get(given);
  const members = rows.members.get(given) ?? [];
  const inner = rows.inner.get(given) ?? [];
  if (members.length + inner.length === 0) return undefined;
  return {
    direct_members: members.flatMap((one) => personOf(source, one["user_profile"]) ?? []),
    direct_subgroups: inner.flatMap((one) => source.groups.get(givenNumber(one["subgroup"])) ?? []),
  };
}

/** The first row of the organization itself. */
export const realmRow = (source: Source): Given => givenRecord(tableOf(source, "zerver_realm")[0]);
