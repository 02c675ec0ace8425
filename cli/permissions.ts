import type { Context } from "../src/core/context";
import type { GroupSettingValue } from "../src/core/rights/group-setting";
import { loadHolders } from "../src/moving/organization/lookup";
import { UsageError } from "./output";

/** The permissions of a kind of object: `table` has their names, `of` names the kind. */
interface Permissions<Name extends string> {
  of: string;
  table: Record<Name, unknown>;
}

/**
 * Permissions from `--permission can_manage_group=role:moderators,alice@example.com`, by their
 * names.
 */
export async function readPermissions<Name extends string>(
  ctx: Context,
  permissions: Permissions<Name>,
  given: readonly string[] = [],
): Promise<Map<Name, GroupSettingValue>> {
  const values = new Map<Name, GroupSettingValue>();
  for (const text of given) {
    const { name, holders } = parsePermission(permissions, text);
    values.set(name, await loadHolders(ctx, holders));
  }
  return values;
}

function parsePermission<Name extends string>({ of, table }: Permissions<Name>, text: string) {
  const [name = "", holders] = text.split(/=(.*)/s);
  if (!isIn(table, name)) {
    const names = Object.keys(table).join(", ");
    throw new UsageError(
      `--permission: '${name}' is not a permission of ${of}. There is: ${names}.`,
    );
  }
  const named = (holders ?? "").split(",").flatMap((one) => one.trim() || []);
  if (named.length === 0)
    throw new UsageError(`--permission ${name}=HOLDERS: say who is to hold it, or role:nobody.`);
  return { name, holders: named };
}

const isIn = <Name extends string>(table: Record<Name, unknown>, name: string): name is Name =>
  Object.hasOwn(table, name);
