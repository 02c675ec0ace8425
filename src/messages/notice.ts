import type { ChannelRow } from "../channels/queries";
import type { Context, RealmRow, Tx, UserRow } from "../core/context";
import { renderMarkdown } from "../markdown/render";
import { protocolLimits } from "../realm/limits";
import { findUserByEmail, notificationBotEmail } from "../users/queries";
import { normalizeContent, normalizeTopic } from "./addressee";
import { findConversation, makeConversation } from "./conversations";
import { type MessagePlace, placeInChannel, placeInConversation, storeMessage } from "./store";

/** What Notification Bot says to a topic of a channel, or to one person. `content` is Markdown. */
export type Notice = ({ channel: ChannelRow; topic: string } | { person: UserRow }) & { content: string };

/**
 * Says something in the name of Notification Bot, in the write that it tells of; answers the message's id. Announces
 * `message` as if it had been sent. The server's own word needs no permission.
 */
export async function sendNoticeIn(tx: Tx, ctx: Context, notice: Notice): Promise<number> {
  const sender = await loadNotificationBot(tx, ctx.realm);
  const content = normalizeContent(notice.content, protocolLimits.maxMessageLength);
  return storeMessage(
    tx,
    { realm: ctx.realm, now: ctx.now, client: "Internal" },
    {
      ...{ sender, content, place: await placeOf(tx, ctx, sender, notice) },
      ...{ rendered: renderMarkdown(content).html, readBySender: true, local: undefined },
    },
  );
}

async function loadNotificationBot(tx: Tx, { id, host }: RealmRow): Promise<UserRow> {
  const bot = await findUserByEmail(tx, id, notificationBotEmail(host));
  if (!bot?.isSystemBot) throw new Error("The organization has no Notification Bot.");
  return bot;
}

async function placeOf(tx: Tx, { realm }: Context, sender: UserRow, notice: Notice): Promise<MessagePlace> {
  if ("channel" in notice) {
    return placeInChannel(notice.channel, normalizeTopic(notice.topic, protocolLimits.maxTopicLength));
  }
  const participants = [sender, notice.person].sort((a, b) => a.id - b.id);
  const ids = participants.map(({ id }) => id);
  const known = await findConversation(tx, realm.id, ids);
  return placeInConversation(known ?? (await makeConversation(tx, realm.id, ids)), participants);
}
