import { and, eq, sql } from "drizzle-orm";
import { type Database, type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import type { ChannelRow } from "../../channels/queries";
import { requireMaySendTo } from "../../channels/topics/posting";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import { contentChanged, refusedFor } from "../../core/errors";
import { mayReadMessage } from "../../core/reading-right/predicate";
import { findPeriodsAmong } from "../../core/reading-right/stored";
import { notePushOfMentions } from "../../devices/push/note-sent";
import { noteMailOfMentions } from "../../letters/new-mentions";
import { findUsersByIds } from "../../people/users/queries";
import type { ChangeableMessage } from "../../reading/changeable";
import {
  actorOutside,
  audienceOf,
  mentionedBotsOutside,
  type Receipt,
} from "../../reading/message-audience";
import { type MessageRow, participantIds } from "../../reading/queries";
import { submessagesOf } from "../../reading/widgets";
import { isMeMessage } from "../../reading/wire";
import { parseRealmSettings } from "../../realm/settings";
import { relinkAttachmentsIn } from "../../uploads/links";
import type { WireAttachment } from "../../uploads/wire";
import { type Attention, readAttention } from "../attention/attention";
import { followMentioned } from "../attention/follow-mentioned";
import { requireMayMention } from "../attention/mention-rights";
import { mentionsAllOf, reachedBy, replaceTextFlags } from "../attention/text-flags";
import { renderWritten } from "../rendering/render";
import { normalizeContent } from "../rendering/source";
import { requireDirectPermission } from "../send/direct-permission";
import { messageUpdated } from "./events";

/** New content of a message. */
export interface NewContent {
  source: string;
  html: string;
  /** People whom the new text mentions, or whose alert words it contains. */
  attention: Attention;
}

/** A change of content within the write: the data of its history row, its event and its answer. */
export interface ContentEdit extends Pick<NewContent, "source" | "html"> {
  prevSource: string;
  prevHtml: string;
  /** Files of the actor's that no message links to any more. */
  detached: WireAttachment[];
  /** Bots outside the channel that the text before mentioned. */
  bots: readonly Receipt[];
}

/** Text of a message whose content was removed. */
const emptied = "(deleted)";
/** Tolerance for an edit that was begun in time and arrives late. */
const graceSeconds = 20;

/** A message whose content changes, with its new content. */
interface ChangedContent {
  realmId: number;
  id: number;
  content: string;
  renderedContent: string;
  editedAt: number;
  mentionsAllOf: number | null;
}

const buildUpdate = (db: Database, { messages }: Schema, given: Given<ChangedContent>) =>
  db
    .update(messages)
    .set({
      content: sql`${given.content}`,
      renderedContent: sql`${given.renderedContent}`,
      lastEditedAt: sql`${given.editedAt}`,
      mentionsAllOf: sql`${given.mentionsAllOf}`,
    })
    .where(and(eq(messages.realmId, given.realmId), eq(messages.id, given.id)))
    .returning({ id: messages.id });

/**
 * Not noted for caches, because each change of content has an `update_message` event, and other
 * messages are unchanged.
 */
const updateContent = statement(buildUpdate, { isLogged: false });
/** Noted in the log, because the event does not say whether everybody in a channel is mentioned. */
const updateContentAndMentions = statement(buildUpdate, { rowsOf: ({ id }) => [id] });

/** The part before the write: trims, cuts and renders. Empty content removes the message's text. */
export async function prepareContent(ctx: Context<Person>, content: string): Promise<NewContent> {
  const source = normalizeContent(content.trim() === "" ? emptied : content);
  const { html, mentions } = await renderWritten(ctx.reader, ctx, source);
  return { source, html, attention: await readAttention(ctx.reader, ctx.realm, source, mentions) };
}

/**
 * Refuses (EXPECTATION_MISMATCH) a change of a message whose content differs from the client's
 * version.
 */
export function requireSameContent({ message }: ChangeableMessage, prevSha256: string | undefined) {
  if (prevSha256 === undefined) return;
  const sha256 = new Bun.CryptoHasher("sha256").update(message.content).digest("hex");
  if (sha256 !== prevSha256.toLowerCase()) throw contentChanged();
}

/**
 * Checks and stores new content with its consequences, except the history row and the event,
 * because a move has its own. Refuses (BAD_REQUEST) an actor who did not send the message or may
 * not send there now, a change that comes too late, an organization that allows no edits, a message
 * with a widget, and mentions that the actor may not make (`requireMayMention`). Announces
 * attachment update to the owners of files, and `user_topic` to newly mentioned people who follow
 * the topic for that; `topic` is the message's topic afterwards.
 */
export async function changeContentIn(
  tx: Tx,
  ctx: Context<Person>,
  changeable: ChangeableMessage,
  { source, html, attention, topic }: NewContent & { topic: string },
): Promise<ContentEdit> {
  const { message } = changeable;
  await requireMayEdit(tx, ctx, changeable);
  await requireMayMention(tx, ctx, message, attention.mentions);
  const allOf = mentionsAllOf(message, attention.mentions);
  const update = allOf === message.mentionsAllOf ? updateContent : updateContentAndMentions;
  await update(tx, {
    realmId: ctx.realm.id,
    id: message.id,
    content: source,
    renderedContent: html,
    editedAt: ctx.now,
    mentionsAllOf: allOf,
  });
  const bots = changeable.channel
    ? await mentionedBotsOutside(tx, changeable.channel, [message.id])
    : [];
  const mentioned = await changeFlagsIn(tx, ctx, changeable, attention);
  if (changeable.channel) {
    const readers = await readersAmong(tx, changeable.channel, message, mentioned);
    await followMentioned(tx, ctx.realm.id, readers, { channelId: changeable.channel.id, topic });
  }
  const detached = await relinkAttachmentsIn(
    tx,
    ctx.realm.id,
    { id: message.id, sender: ctx.actor.user, rendered: html },
    message.renderedContent,
  );
  return {
    source,
    html,
    prevSource: message.content,
    prevHtml: message.renderedContent,
    detached,
    bots,
  };
}

/**
 * Sets the flags of people whom the text mentions now, or whose alert words are in it, and clears
 * those of all others. Answers the people whom it newly mentions by name or through a group.
 */
async function changeFlagsIn(
  tx: Tx,
  ctx: Context<Person>,
  { message, channel }: ChangeableMessage,
  attention: Attention,
): Promise<UserRow[]> {
  const { id, channelId, sentChannelId, conversationId, topic, senderId } = message;
  const reached = await reachedBy(
    tx,
    ctx,
    {
      id,
      channelId,
      sentChannelId,
      topic,
      senderId,
      isPublic: channel !== undefined && !channel.inviteOnly,
      isWebPublic: channel?.isWebPublic ?? false,
      participantIds:
        conversationId === null ? [] : await participantIds(tx, ctx.realm.id, conversationId),
    },
    attention,
  );
  const mentionedAnew = await replaceTextFlags(tx, ctx.realm.id, id, reached);
  const mentioning = { id, senderId, groups: attention.mentions.groups, named: reached.named };
  await notePushOfMentions(tx, ctx.realm.id, mentioning, mentionedAnew);
  await noteMailOfMentions(tx, ctx, id, mentionedAnew);
  return reached.mentioned.filter((user) => mentionedAnew.has(user.id));
}

/**
 * Users among these who may read a message now: some recipients may have lost that right, and must
 * not learn its topic (A2).
 */
async function readersAmong(
  tx: Tx,
  channel: ChannelRow,
  message: MessageRow,
  users: readonly UserRow[],
) {
  const userIds = users.map(({ id }) => id);
  const periods = await findPeriodsAmong(tx, channel, userIds);
  return users.filter(({ id, role }) =>
    mayReadMessage(channel, periods.get(id) ?? [], role, message),
  );
}

/**
 * Refuses (BAD_REQUEST) an actor who may not change the content of a message, for any new content.
 * In a write, `ctx` is the renewed one.
 */
export async function requireMayEdit(
  reader: Reader,
  ctx: Context<Person>,
  changeable: ChangeableMessage,
) {
  const { message } = changeable;
  const settings = parseRealmSettings(ctx.realm.settings);
  if (!settings.allow_message_editing)
    throw refusedFor("edits-off", "This organization does not let people edit messages.");
  if (message.senderId !== ctx.actor.user.id)
    throw refusedFor("message-edit", "You may edit only your own messages.");
  const { message_content_edit_limit_seconds: limitSeconds } = settings;
  if (limitSeconds !== null && ctx.now > message.sentAt + limitSeconds + graceSeconds) {
    throw refusedFor("message-edit-late", "It is too late to edit this message.");
  }
  const widgets = await submessagesOf(reader, ctx.realm.id, [message]);
  if (widgets.size > 0) throw refusedFor("widget-edit", "Polls and to-do lists cannot be edited.");
  await requireMaySend(reader, ctx, changeable);
}

/** Somebody who may no longer send there must not do so by editing old messages. */
async function requireMaySend(
  reader: Reader,
  ctx: Context<Person>,
  { message, channel }: ChangeableMessage,
) {
  if (channel) return requireMaySendTo(reader, ctx, channel);
  const people = await findUsersByIds(
    reader,
    ctx.realm.id,
    await participantIds(reader, ctx.realm.id, message.conversationId ?? 0),
  );
  const sender = ctx.actor.user;
  const others = people.filter(({ id }) => id !== sender.id);
  await requireDirectPermission(reader, ctx, { sender, others, isNew: false });
}

/** Columns that a change of content adds to the history row (`message_edits`) of its message. */
export const editHistory = ({ prevSource, prevHtml }: ContentEdit) => ({
  prevContent: prevSource,
  prevRenderedContent: prevHtml,
});

/** Fields that a change of content adds to the `update_message` event of its message. */
export const editFields = ({ source, html, prevSource, prevHtml }: ContentEdit) => ({
  orig_content: prevSource,
  orig_rendered_content: prevHtml,
  content: source,
  rendered_content: html,
  is_me_message: isMeMessage(source),
});

/** A new row of the history of a message. */
interface NewEdit {
  realmId: number;
  messageId: number;
  userId: number;
  editedAt: number;
  prevContent: string;
  prevRenderedContent: string;
}

const insertEdit = statement((db, { messageEdits }, given: Given<NewEdit>) =>
  db
    .insert(messageEdits)
    .values({
      realmId: given.realmId,
      messageId: given.messageId,
      userId: given.userId,
      editedAt: given.editedAt,
      prevContent: given.prevContent,
      prevRenderedContent: given.prevRenderedContent,
    })
    .returning({ id: messageEdits.id }),
);

/**
 * Writes the history row of a change of content alone, and announces `update_message` to everybody
 * who receives messages there and may read this one, to bots that it mentioned, and to the actor.
 */
export async function announceEditIn(
  tx: Tx,
  ctx: Context<Person>,
  { message, channel }: ChangeableMessage,
  edit: ContentEdit,
) {
  const { realm, actor, now } = ctx;
  await insertEdit(tx, {
    realmId: realm.id,
    messageId: message.id,
    userId: actor.user.id,
    editedAt: now,
    ...editHistory(edit),
  });
  const event = messageUpdated({
    user_id: actor.user.id,
    edit_timestamp: now,
    rendering_only: false,
    message_id: message.id,
    message_ids: [message.id],
    ...(channel ? { stream_id: channel.id, stream_name: channel.name } : {}),
    ...editFields(edit),
  });
  await tx.emit(await audienceOf(tx, realm.id, message), event);
  const outsiders = new Set([
    ...edit.bots.map(({ userId }) => userId),
    ...(channel ? await actorOutside(tx, ctx, channel) : []),
  ]);
  if (outsiders.size > 0) await tx.emit({ to: "users", ids: [...outsiders] }, event);
}
