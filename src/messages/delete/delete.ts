import { holdersOf } from "../../channels/group-settings";
import type { ChannelRow } from "../../channels/queries";
import type { Context, Person, Tx } from "../../core/context";
import { refusedFor } from "../../core/errors";
import { type Input, id, record } from "../../core/params";
import { write } from "../../core/write";
import { type Grant, may } from "../../people/user-groups/may";
import { findUser } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { type ChangeableMessage, loadChangeableMessage } from "../../reading/changeable";
import { participantIds } from "../../reading/queries";
import { parseRealmSettings } from "../../realm/settings";
import { removeDirectIn, removeFromTopicIn } from "./remove";

export const DeleteMessage = record({ messageId: id() });

/**
 * Deletes a message for everybody. The organization or the channel may let the actor delete any
 * readable message; otherwise the message must be the actor's own, or a bot's of theirs, and within
 * the time limit. Announces the events of `removeFromTopicIn` and `removeDirectIn`. Refuses a
 * missing message, one that the actor may not read and one of an archived channel alike. Source:
 * `test/recorded/api/api-surface.json`, delete-message; recorded behaviour of the reference server.
 */
export async function deleteMessage(
  ctx: Context<Person>,
  { messageId }: Input<typeof DeleteMessage>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const changeable = await loadChangeableMessage(tx, renewed, messageId);
    const { message, channel } = changeable;
    await requireMayDelete(tx, renewed, changeable);
    tx.audit(renewed, {
      action: "message.delete",
      kind: "message",
      ids: [messageId],
      before: {
        sender_id: message.senderId,
        channel_id: message.channelId,
        sent_at: message.sentAt,
      },
    });
    if (channel) return removeFromTopicIn(tx, renewed, channel, message.topic, [message]);
    const people = await participantIds(tx, ctx.realm.id, message.conversationId ?? 0);
    return removeDirectIn(tx, ctx.realm.id, [messageId], people);
  });
}

/** A permission of the organization, and the channel's permission with that name. */
const grantsOf = (
  name: "can_delete_any_message_group" | "can_delete_own_message_group",
  channel: ChannelRow | undefined,
): Grant[] => [{ realm: name }, ...(channel ? [{ holders: holdersOf(channel, name) }] : [])];

async function requireMayDelete(
  tx: Tx,
  ctx: Context<Person>,
  { message, channel }: ChangeableMessage,
): Promise<void> {
  if (await may(tx, ctx, ...grantsOf("can_delete_any_message_group", channel))) return;
  const isOwn = await isByActor(tx, ctx, message.senderId);
  if (!isOwn || !(await may(tx, ctx, ...grantsOf("can_delete_own_message_group", channel)))) {
    throw refusedFor("message-delete", "You do not have permission to delete this message.");
  }
  const { message_content_delete_limit_seconds: limitSeconds } = parseRealmSettings(
    ctx.realm.settings,
  );
  if (limitSeconds !== null && ctx.now > message.sentAt + limitSeconds) {
    throw refusedFor("message-delete-late", "It is too late to delete this message.");
  }
}

/** Whether the actor, or a bot of theirs, sent a message. */
async function isByActor(
  tx: Tx,
  { realm, actor }: Context<Person>,
  senderId: number,
): Promise<boolean> {
  if (senderId === actor.user.id) return true;
  const sender = await findUser(tx, realm.id, senderId);
  return sender?.botOwnerId === actor.user.id;
}
