import { findChannel } from "../../channels/queries";
import { topicKey } from "../../channels/topics/empty-topic";
import type { Context, RealmRow, UserRow } from "../../core/context";
import { timeText } from "../../core/language";
import { siteOf } from "../../core/network/site";
import { html } from "../../core/text/html";
import { turn } from "../../core/turns/turn";
import type { Mail } from "../../letters/envelope";
import { type Block, link, note, paragraph } from "../../letters/letter";
import { messageText } from "../../letters/plain-text";
import { unsubscribing } from "../../letters/unsubscribe-link";
import { localeOfUser } from "../../people/settings/locale";
import { parseUserSettings } from "../../people/settings/user-settings";
import { findUsersByIds } from "../../people/users/queries";
import { shownPerson } from "../../people/users/shown";
import { viewerFor } from "../../people/users/viewer";
import { directPath, topicPath } from "../../protocol/narrow-links";
import { emptyTopicDisplayName } from "../../protocol/topics";
import { type MessageRow, participantIds } from "../../reading/queries";
import { parseRealmSettings } from "../../realm/settings";
import { type MailWords, wordsOfUser } from "../words/mail-words";

/** Number of messages of a conversation in a mail, and of conversations at a time. */
const shownMax = 20;
const mailsMax = 20;

/** Data of a mail in addition to its messages. */
interface Surroundings {
  words: MailWords;
  ctx: Context;
  user: UserRow;
  /** Names of the senders, as far as the user may see them. */
  names: ReadonlyMap<number, string>;
  isRealmNamed: boolean;
}

/**
 * Mails about messages that somebody has missed: one for each conversation, or one for all where
 * they or the organization do not want messages in mails. `hasOthers`: there are other
 * organizations on the server.
 */
export async function composeMissed(
  ctx: Context,
  user: UserRow,
  missed: readonly MessageRow[],
  hasOthers: boolean,
): Promise<Mail[]> {
  if (missed.length === 0) return [];
  const settings = parseUserSettings(user.settings);
  const policy = settings.realm_name_in_email_notifications_policy;
  const isRealmNamed = policy === 2 || (policy === 1 && hasOthers);
  const words = wordsOfUser(user);
  const around = { words, ctx, user, names: await namesOf(ctx, user, missed), isRealmNamed };
  if (!settings.message_content_in_email_notifications || !mayShowContent(ctx.realm)) {
    return [withoutContent(around, missed)];
  }
  const conversations = [...Map.groupBy(missed, keyOf).values()].slice(0, mailsMax);
  return Promise.all(conversations.map((messages) => withContent(around, messages)));
}

const mayShowContent = ({ settings }: RealmRow) =>
  parseRealmSettings(settings).message_content_allowed_in_email_notifications;

const keyOf = ({ channelId, conversationId, topic }: MessageRow) =>
  channelId === null ? `d ${conversationId}` : `c ${channelId} ${topicKey(topic)}`;

/** Names of people for somebody who may not see all of them. */
export async function namesOf(
  { reader, realm }: Context,
  user: UserRow,
  messages: readonly MessageRow[],
): Promise<Map<number, string>> {
  const ids = new Set(messages.map(({ senderId }) => senderId));
  for (const id of new Set(messages.flatMap(({ conversationId }) => conversationId ?? []))) {
    for (const participant of await participantIds(reader, realm.id, id)) ids.add(participant);
  }
  const people = await findUsersByIds(reader, realm.id, [...ids]);
  const viewer = await viewerFor(reader, realm, user, [...ids]);
  return new Map(
    people.map((one) => [one.id, shownPerson(one, { viewer, realmHost: realm.host }).fullName]),
  );
}

function mailOf(
  { words, ctx, user, isRealmNamed }: Surroundings,
  missed: readonly MessageRow[],
  subject: string,
  letter: readonly Block[],
): Mail {
  const ending = unsubscribing(ctx, user, "missed", words.tag);
  const messageIds = missed.map(({ id }) => id);
  return {
    to: user,
    subject: isRealmNamed ? `[${ctx.realm.name}] ${subject}` : subject,
    language: words.tag,
    letter: [...letter, note(words.whyMissed(ctx.realm.name), ending)],
    about: "what you have missed",
    tellUserId: user.id,
    unsubscribeUrl: ending.url,
    lookAgain: {
      userId: user.id,
      fromMessage: Math.min(...messageIds),
      messageIds,
      shown: markOfShown(missed),
    },
  };
}

/** Mark of what mails show of some messages: another one once a text or a place has changed. */
export const markOfShown = (messages: readonly MessageRow[]): string =>
  Bun.hash(
    JSON.stringify(
      messages.map(({ id, channelId, topic, renderedContent }) => [
        id,
        channelId,
        topic,
        renderedContent,
      ]),
    ),
  ).toString(36);

function withoutContent(around: Surroundings, missed: readonly MessageRow[]): Mail {
  const { words, ctx, user } = around;
  return mailOf(around, missed, words.newMessages, [
    paragraph(words.hello(user.fullName)),
    paragraph(words.waiting(missed.length, ctx.realm.name)),
    link(words.read, siteOf(ctx)),
  ]);
}

async function withContent(around: Surroundings, messages: readonly MessageRow[]): Promise<Mail> {
  const { subject, path } = await placeOf(around, messages);
  const site = siteOf(around.ctx);
  const shown = messages.slice(-shownMax);
  const left = messages.length - shown.length;
  const quotes: Block[] = [];
  for (const message of shown) {
    quotes.push(await quoteOf(around, message));
    await turn();
  }
  const before = left === 0 ? [] : [paragraph(around.words.moreBefore(left))];
  return mailOf(around, messages, subject, [
    ...before,
    ...quotes,
    link(around.words.answerThere, `${site}/${path}/near/${shown.at(-1)?.id ?? 0}`),
  ]);
}

async function quoteOf({ ctx, user, names }: Surroundings, message: MessageRow): Promise<Block> {
  const locale = localeOfUser(user);
  const text = await messageText(message.renderedContent, siteOf(ctx), locale);
  const from = `${names.get(message.senderId) ?? ""}, ${timeText(message.sentAt, locale)}`;
  return { kind: "quote", from, text, html: html`<div style="white-space:pre-wrap">${text}</div>` };
}

/** Name of a conversation, and its address in clients. */
async function placeOf({ words, ctx, user, names }: Surroundings, messages: readonly MessageRow[]) {
  const { channelId, conversationId, topic } = messages[0] ?? {
    channelId: null,
    conversationId: null,
    topic: "",
  };
  const { reader, realm } = ctx;
  const channel = channelId === null ? undefined : await findChannel(reader, realm.id, channelId);
  if (channel) {
    const subject = `#${channel.name} > ${topic === "" ? emptyTopicDisplayName : topic}`;
    return { subject, path: topicPath(channel, topic) };
  }
  const ids = await participantIds(reader, realm.id, conversationId ?? 0);
  const others = ids.filter((id) => id !== user.id);
  const called = others.map((id) => names.get(id) ?? "").join(", ");
  const subject = others.length === 1 ? words.hasWritten(called) : words.conversationWith(called);
  return { subject, path: directPath(ids) };
}
