import type { Reader } from "../../../db/reader";
import type { Context, RealmRow } from "../../core/context";
import type { ApiError } from "../../core/errors";
import {
  type GroupPermission,
  isStoredGroupSetting,
  parseStoredSettings,
  type StoredGroupSetting,
} from "../../core/rights/group-setting";
import { holdsRole, isUnbound, type RoleName, roles } from "../../core/rights/role";
import { type RealmGroupSettingName, realmSettings, settingRefusal } from "../../realm/settings";
import { isInGroupSetting } from "./queries";

/**
 * One way to hold a right: by a role (or a higher one), by a permission of the realm, or by the
 * value of a permission of a channel or a group. A permission that may not be everyone's never
 * includes guests, whatever groups they are in; for `holders` this needs `permission`, the rules of
 * the value.
 */
export type Grant =
  | { role: RoleName }
  | { realm: RealmGroupSettingName }
  | { holders: StoredGroupSetting; permission?: GroupPermission };

/**
 * Whether the actor of the context holds a right by any of these grants. All verbs check rights
 * here. The operator and the server's own work have every right, somebody without an account none.
 * In a write, `ctx` is the renewed one (`renewContext`), so that the rights are those of that
 * moment.
 */
export async function may(reader: Reader, ctx: Context, ...grants: Grant[]): Promise<boolean> {
  const { actor } = ctx;
  if (isUnbound(actor)) return true;
  if (!("user" in actor) || !actor.user.isActive) return false;
  // Roles first, because they need no query.
  if (grants.some((grant) => "role" in grant && holdsRole(actor, grant.role))) return true;
  const isGuest = actor.user.role >= roles.guest;
  for (const grant of grants) {
    if ("role" in grant || (isGuest && !isForGuests(grant))) continue;
    const holders = "realm" in grant ? realmHolders(ctx.realm, grant.realm) : grant.holders;
    if (await isInGroupSetting(reader, ctx, actor.user, holders)) return true;
  }
  return false;
}

/** Holders of a permission of the realm, without parsing all of its settings. */
function realmHolders(
  { settings }: Pick<RealmRow, "settings">,
  name: RealmGroupSettingName,
): StoredGroupSetting {
  const rule = realmSettings[name];
  const stored = settings === "{}" ? undefined : parseStoredSettings(settings)[name];
  const isUsable = isStoredGroupSetting(stored) && settingRefusal(name, rule, stored) === undefined;
  return isUsable ? stored : rule.default;
}

function isForGuests(grant: Exclude<Grant, { role: RoleName }>): boolean {
  const permission = "realm" in grant ? realmSettings[grant.realm].permission : grant.permission;
  return permission?.allow_everyone_group ?? true;
}

/** Refuses an actor who holds the right by none of the grants. */
export async function requireMay(
  reader: Reader,
  ctx: Context,
  refusal: () => ApiError,
  ...grants: Grant[]
) {
  if (!(await may(reader, ctx, ...grants))) throw refusal();
}
