import type { Reader } from "../../../db/reader";
import type { Context, UserRow } from "../../core/context";
import { badRequest, ownerRequired } from "../../core/errors";
import { roles } from "../../core/role";
import { requireMay } from "./may";

/**
 * Administrators manage accounts (else BAD_REQUEST), but those of owners only owners do
 * (UNAUTHORIZED_PRINCIPAL). Nobody manages the bots of the system.
 */
export async function requireMayManage(reader: Reader, ctx: Context, target: UserRow) {
  const refusal = () =>
    badRequest("You do not have permission to manage this account: ask an administrator.");
  await requireMay(reader, ctx, refusal, { role: "administrator" });
  if (target.isSystemBot) throw badRequest("The bots of the system cannot be changed.");
  if (target.role <= roles.owner) await requireMay(reader, ctx, ownerRequired, { role: "owner" });
}
