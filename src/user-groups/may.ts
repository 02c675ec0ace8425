import type { Reader } from "../../db/reader";
import type { Context } from "../core/context";
import type { ApiError } from "../core/errors";
import type { StoredGroupSetting } from "../core/group-setting";
import { holdsRole, isUnbound, type RoleName } from "../core/role";
import { parseRealmSettings, type RealmGroupSettingName } from "../realm/settings";
import { isInGroupSetting } from "./queries";

/**
 * One way to hold a right: by a role (or a higher one), by a permission of the realm, or by the value of a permission
 * that a channel or a group has.
 */
export type Grant = { role: RoleName } | { realm: RealmGroupSettingName } | { holders: StoredGroupSetting };

/**
 * Whether the actor of the context holds a right by any of these grants: the one way in which verbs ask. The operator and
 * the server's own work may do everything, somebody without an account nothing. In a write, `ctx` is the renewed one
 * (`renewContext`), so that the rights are those of that moment.
 */
export async function may(reader: Reader, ctx: Context, ...grants: Grant[]): Promise<boolean> {
  const { actor } = ctx;
  if (isUnbound(actor)) return true;
  if (!("user" in actor) || !actor.user.isActive) return false;
  // Roles first: they cost no query.
  if (grants.some((grant) => "role" in grant && holdsRole(actor, grant.role))) return true;
  for (const grant of grants) {
    if ("role" in grant) continue;
    const holders = "realm" in grant ? parseRealmSettings(ctx.realm.settings)[grant.realm] : grant.holders;
    if (await isInGroupSetting(reader, ctx, actor.user, holders)) return true;
  }
  return false;
}

/** Refuses an actor who holds the right by none of the grants. */
export async function requireMay(reader: Reader, ctx: Context, refusal: () => ApiError, ...grants: Grant[]) {
  if (!(await may(reader, ctx, ...grants))) throw refusal();
}
