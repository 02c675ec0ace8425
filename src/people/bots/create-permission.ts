import type { Reader } from "../../../db/reader";
import type { Context } from "../../core/context";
import { badRequest } from "../../core/errors";
import { requireMay } from "../user-groups/may";
import { type BotKind, botKinds } from "./kinds";

const refusal = () =>
  badRequest("You do not have permission to create bots of this kind. Ask an administrator.");

/**
 * Refuses (BAD_REQUEST) an actor who may not create bots of a kind. The organization may let more
 * people create incoming webhooks, which can only write.
 */
export async function requireMayCreateBots(
  reader: Reader,
  ctx: Context,
  kind: BotKind,
): Promise<void> {
  const writeOnly = { realm: "can_create_write_only_bots_group" } as const;
  const grants = kind === botKinds.incomingWebhook ? [writeOnly] : [];
  await requireMay(reader, ctx, refusal, { realm: "can_create_bots_group" }, ...grants);
}
