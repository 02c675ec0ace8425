import type { Reader } from "../../../db/reader";
import type { Context, UserRow } from "../../core/context";
import { refusedFor } from "../../core/errors";
import { isInGroupSetting } from "../../people/user-groups/queries";
import { parseRealmSettings } from "../../realm/settings";

interface DirectMessage {
  sender: UserRow;
  /** Its recipients except the sender. */
  others: readonly UserRow[];
  /** Whether the conversation has no messages yet. */
  isNew: boolean;
}

/**
 * Refuses a direct message that the organization does not allow: where no participant is in the
 * group that direct messages need, or where the sender may not start a conversation. Everybody may
 * write to bots and to themself. Source: recorded behaviour of the reference server.
 */
export async function requireDirectPermission(
  reader: Reader,
  ctx: Context,
  { sender, others, isNew }: DirectMessage,
): Promise<void> {
  if (others.every(({ botType }) => botType !== null)) return;
  const settings = parseRealmSettings(ctx.realm.settings);
  const isIn = (
    user: UserRow,
    name: "direct_message_permission_group" | "direct_message_initiator_group",
  ) => isInGroupSetting(reader, ctx, user, settings[name]);
  const isAllowed = async () => {
    for (const user of [sender, ...others])
      if (await isIn(user, "direct_message_permission_group")) return true;
    return false;
  };
  if (!(await isAllowed()))
    throw refusedFor("direct-off", "Direct messages are disabled in this organization.");
  if (isNew && !(await isIn(sender, "direct_message_initiator_group"))) {
    throw refusedFor(
      "direct-begin",
      "You do not have permission to start conversations in this organization.",
    );
  }
}
