import {
  type GroupPermission,
  groupSettingRefusal,
  isSystemGroupName,
} from "../../core/group-setting";
import { type Node, openMapping, readTexts } from "./decode";
import type { Path } from "./problems";

/** People who are to hold a permission: groups by their names, people by their e-mail addresses. */
export type DeclaredHolders = readonly string[];

/** Holders by the names of the permissions, as far as the file names those. */
export type DeclaredPermissions<Name extends string> = ReadonlyMap<Name, DeclaredHolders>;

/** The permissions of something; `of` names it in messages: "a channel". */
interface Permissions<Name extends string> {
  of: string;
  table: Record<Name, GroupPermission>;
}

/**
 * The permissions that a part of the file declares: `permissions: {can_send_message_group: [devs,
 * alice@example.com]}`, or one name instead of a list. Names of permissions that there are not, and
 * system groups that one may not have, are noted.
 */
export function readPermissions<Name extends string>(
  { fields, problems, path: parent }: Node,
  { of, table }: Permissions<Name>,
): DeclaredPermissions<Name> {
  const read = new Map<Name, DeclaredHolders>();
  if (fields.permissions === undefined) return read;
  const path = [...parent, "permissions"];
  const node = openMapping(
    problems,
    path,
    fields.permissions,
    `the permissions of ${of}`,
    Object.keys(table),
  );
  for (const name of Object.keys(node.fields)) {
    if (isIn(table, name)) read.set(name, readHolders(node, name, table[name]) ?? []);
  }
  return read;
}

const isIn = <Name extends string>(table: Record<Name, unknown>, name: string): name is Name =>
  Object.hasOwn(table, name);

/**
 * The holders of one permission; undefined where they are not said as names. A group that it may
 * not have is noted.
 */
export function readHolders(
  node: Node,
  name: string,
  permission: GroupPermission,
): DeclaredHolders | undefined {
  const { fields, problems, path } = node;
  const place = [...path, name];
  const holders =
    typeof fields[name] === "string"
      ? [fields[name].trim()]
      : readTexts(node, name, (one) => one.trim());
  if (holders === undefined) return undefined;
  const refusal = refusalOf(name, permission, holders);
  if (refusal !== undefined) problems.push({ path: place, message: refusal });
  return holders;
}

const someIds = { direct_members: [1], direct_subgroups: [] };

/** Why a permission may not have these holders, as far as the system's groups among them tell. */
function refusalOf(
  name: string,
  permission: GroupPermission,
  holders: DeclaredHolders,
): string | undefined {
  const refusal = (value: unknown) => groupSettingRefusal(name, permission, value);
  const [only, ...others] = holders;
  if (permission.require_system_group && (others.length > 0 || !isSystemGroupName(only)))
    return refusal(someIds);
  const groups =
    holders.length === 0 ? ["role:nobody" as const] : holders.filter(isSystemGroupName);
  return groups.map(refusal).find((one) => one !== undefined);
}

/** The place in the file of a holder, by its place in the list. */
export const holderPath = (path: Path, name: string, index: number): Path => [...path, name, index];

/** Holders for a person to read. */
export const describeHolders = (holders: DeclaredHolders) =>
  holders.length === 0 ? "role:nobody" : holders.join(", ");
