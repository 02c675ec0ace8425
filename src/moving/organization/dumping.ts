import type { RealmRow, UserRow } from "../../core/context";
import {
  type GroupPermission,
  groupSettingRefusal,
  isSystemGroupName,
  type StoredGroupSetting,
  systemDefault,
} from "../../core/rights/group-setting";
import { isPlaceholderEmail } from "../../people/users/queries";
import type { Declaration } from "./declaration";
import type { Stored } from "./stored";

/** A part of an organization's file, as it is written: values by the keys of the file. */
export type DumpedPart = Partial<Record<keyof Declaration, unknown>>;

/** A picture that a written file names. */
export interface DumpedPicture {
  /** Path of its file, relative to the written one. */
  file: string;
  /** Key of its bytes in the store. */
  key: string;
}

/** An organization while it is written as a file. */
export interface Dumping {
  realm: RealmRow;
  stored: Stored;
  /** Accounts that the file declares, by their ids: active people and active bots. */
  accounts: ReadonlyMap<number, UserRow>;
  /** Path of a picture in the file, which the caller writes there. */
  namePicture(picture: { name: string; key: string }): string;
}

/** Active people, and active bots of kinds that a file can declare whose owners are among them. */
export function declarableAccounts(
  { users }: Stored,
  realm: RealmRow,
  isDeclarableBot: (bot: UserRow) => boolean,
): Map<number, UserRow> {
  const active = users.filter(
    ({ isActive, emailKey }) => isActive && !isPlaceholderEmail(realm, emailKey),
  );
  const accounts = new Map(
    active.filter(({ botType }) => botType === null).map((row) => [row.id, row]),
  );
  const bots = active.filter(
    (row) => isDeclarableBot(row) && row.botOwnerId !== null && accounts.has(row.botOwnerId),
  );
  for (const bot of bots) accounts.set(bot.id, bot);
  return accounts;
}

/** Groups and accounts by which holders of permissions are named. */
interface Naming {
  stored: Pick<Stored, "groups">;
  accounts: ReadonlyMap<number, UserRow>;
}

/** The addresses of the accounts with these ids that the file declares. */
export const emailsOf = ({ accounts }: Naming, ids: Iterable<number>): string[] =>
  [...ids].sort((one, other) => one - other).flatMap((id) => accounts.get(id)?.email ?? []);

/** The names of the active groups with these ids. */
export const groupNames = ({ stored }: Naming, ids: readonly number[]): string[] =>
  stored.groups
    .filter(({ group }) => group.isActive && ids.includes(group.id))
    .map(({ group }) => group.name);

/** Permissions of an object that differ from those of a new one, by name. */
export function dumpPermissions<Name extends string>(
  dumping: Dumping,
  table: Record<Name, GroupPermission>,
  current: (name: Name) => StoredGroupSetting,
): Record<string, unknown> {
  const isName = (name: string): name is Name => Object.hasOwn(table, name);
  return Object.fromEntries(
    Object.keys(table)
      .filter(isName)
      .flatMap((name) => {
        const holders = dumpHolders(dumping, name, table[name], current(name));
        return holders === undefined || holders === systemDefault(table[name])
          ? []
          : [[name, holders]];
      }),
  );
}

/**
 * Holders of a permission as the file has them: one name or several. Without active holders it is
 * `role:nobody`; undefined where the permission must not be given to that group.
 */
export function dumpHolders(
  naming: Naming,
  name: string,
  permission: GroupPermission,
  value: StoredGroupSetting,
): string | string[] | undefined {
  if (typeof value === "string") return value;
  const groups = groupNames(naming, typeof value === "number" ? [value] : value.direct_subgroups);
  const people = emailsOf(naming, typeof value === "number" ? [] : value.direct_members);
  const holders = [...groups, ...people].filter((one) => one !== "role:nobody");
  const [only = "role:nobody"] = holders;
  if (holders.length > 1) return holders;
  const isAllowed =
    !isSystemGroupName(only) || groupSettingRefusal(name, permission, only) === undefined;
  return isAllowed ? only : undefined;
}

/** The values of an object, without undefined ones. */
export const present = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && !isEmptyMapping(value)),
  );

const isEmptyMapping = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length === 0;
