import { and, desc, eq } from "drizzle-orm";
import type { ChannelRow } from "../../channels/queries";
import type { RealmRow, Tx, UserRow } from "../../core/context";
import type { SendMoment } from "../../core/steps";
import { type Mentions, noMentions } from "../../markdown/mentions";
import { findUserByEmail, notificationBotEmail } from "../../people/users/queries";
import { findConversation, makeConversation } from "../../reading/conversations";
import { type Attention, noAttention } from "../attention/attention";
import { renderNotice } from "../rendering/render";
import { normalizeContent } from "../rendering/source";
import { normalizeTopic } from "./addressee";
import { type MessagePlace, placeInChannel, placeInConversation, storeMessage } from "./store";

/**
 * Notice of Notification Bot to a topic of a channel, or to one person. `content` is Markdown;
 * `linksTo` are the channels that become links in it; `readBy` are subscribers of the channel for
 * whom it counts as read from the start.
 */
export type Notice = (
  | { channel: ChannelRow; topic: string; readBy?: readonly number[] }
  | { person: UserRow }
) & {
  content: string;
  linksTo?: readonly ChannelRow[];
  /** Notices of this write that are rendered, so that each content is rendered once. */
  renderedBefore?: RenderedNotices;
};

/**
 * HTML of the notices of one write, by their content alone. So a content must name all channels of
 * `linksTo`.
 */
export type RenderedNotices = Map<string, Awaited<ReturnType<typeof renderNotice>>>;

/**
 * Sends a notice as Notification Bot, in the write that it is about; answers the message's id.
 * Announces `message` like a send. Notices need no permission.
 */
export async function sendNoticeIn(tx: Tx, ctx: SendMoment, notice: Notice): Promise<number> {
  const sender = await loadNotificationBot(tx, ctx.realm);
  const content = normalizeContent(notice.content);
  const rendered =
    notice.renderedBefore?.get(content) ??
    (await renderNotice(tx, ctx.realm.id, content, notice.linksTo ?? []));
  notice.renderedBefore?.set(content, rendered);
  const { html, mentions } = rendered;
  return storeMessage(
    tx,
    { app: ctx.app, realm: ctx.realm, now: ctx.now, client: "Internal" },
    {
      sender,
      content,
      place: await placeOf(tx, ctx, sender, notice),
      rendered: html,
      readBySender: true,
      local: undefined,
      attention: attentionOf(mentions),
      readBy: "channel" in notice ? notice.readBy : undefined,
    },
  );
}

/**
 * Only mentions of people count, because a name in a notice that somebody else has chosen must not
 * mention everybody.
 */
const attentionOf = ({ people }: Mentions): Attention =>
  people.length === 0 ? noAttention : { mentions: { ...noMentions, people }, alerted: [] };

async function loadNotificationBot(tx: Tx, { id, host }: RealmRow): Promise<UserRow> {
  const bot = await findUserByEmail(tx, id, notificationBotEmail(host));
  if (!bot?.isSystemBot) throw new Error("The organization has no Notification Bot.");
  return bot;
}

/** Number of the newest messages between Notification Bot and somebody that are searched. */
const searchedMax = 50;

/**
 * Time of the newest notice to somebody whose Markdown `isIt` picks; undefined where there is none
 * among the newest messages. The database is asked, so it counts what other nodes have sent, and
 * what earlier writes of this commit have.
 */
export async function findNoticeTime(
  tx: Tx,
  realm: RealmRow,
  person: UserRow,
  isIt: (content: string) => boolean,
): Promise<number | undefined> {
  const { messages: m } = tx.t;
  const bot = await loadNotificationBot(tx, realm);
  const ids = [bot.id, person.id].sort((a, b) => a - b);
  const conversationId = await findConversation(tx, realm.id, ids);
  if (conversationId === undefined) return undefined;
  const recent = await tx.db
    .select({ content: m.content, sentAt: m.sentAt, senderId: m.senderId })
    .from(m)
    .where(and(eq(m.realmId, realm.id), eq(m.conversationId, conversationId)))
    .orderBy(desc(m.id))
    .limit(searchedMax);
  return recent.find(({ senderId, content }) => senderId === bot.id && isIt(content))?.sentAt;
}

async function placeOf(
  tx: Tx,
  { realm }: SendMoment,
  sender: UserRow,
  notice: Notice,
): Promise<MessagePlace> {
  if ("channel" in notice) {
    return placeInChannel(notice.channel, normalizeTopic(notice.topic));
  }
  const participants = [sender, notice.person].sort((a, b) => a.id - b.id);
  const ids = participants.map(({ id }) => id);
  const existingId = await findConversation(tx, realm.id, ids);
  return placeInConversation(
    existingId ?? (await makeConversation(tx, realm.id, ids)),
    participants,
  );
}
