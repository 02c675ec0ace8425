import type { Reader } from "../../../db/reader";
import type { Context, UserRow } from "../../core/context";
import { badRequest, ownerRequired, refusedFor } from "../../core/errors";
import { roles } from "../../core/rights/role";
import { requireMay } from "./may";

/**
 * Only administrators manage accounts (BAD_REQUEST), and only owners those of owners
 * (UNAUTHORIZED_PRINCIPAL). Nobody manages system bots.
 */
export async function requireMayManage(reader: Reader, ctx: Context, target: UserRow) {
  const refusal = () =>
    refusedFor(
      "account-manage",
      "You do not have permission to manage this account: ask an administrator.",
    );
  await requireMay(reader, ctx, refusal, { role: "administrator" });
  if (target.isSystemBot) throw badRequest("The bots of the system cannot be changed.");
  if (target.role <= roles.owner) await requireMay(reader, ctx, ownerRequired, { role: "owner" });
}
