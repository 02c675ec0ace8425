import { findChannel } from "../../channels/queries";
import type { Context, Tx, UserRow } from "../../core/context";
import { silentMention } from "../../core/notice-actor";
import { sendNoticeIn } from "../../messages/send/notice";
import { parseRealmSettings } from "../../realm/settings";

const signUpTopic = "signups";

const greeting = (realmName: string) =>
  `Hello, and welcome to ${realmName.replace(/[\\*_`~[\]<>@#:$|]/g, "")}!

I am the bot that tells you what happens around you: who subscribed you to a channel, or what became of a reminder. \
Conversations take place in channels, and in a channel each subject has a topic of its own.`;

/**
 * Welcomes somebody who has just joined, as Notification Bot: with a direct message, another one
 * with the organization's welcome text (or the invitation's own `text`, empty for none), and a
 * notice in the channel that the organization has chosen. Announces `message` for each. Source:
 * recorded behaviour of the reference server; `test/recorded/api/levels.tsv`, 416.
 */
export async function welcomeNewcomer(
  tx: Tx,
  ctx: Context,
  user: UserRow,
  text: string | null = null,
): Promise<void> {
  const settings = parseRealmSettings(ctx.realm.settings);
  await sendNoticeIn(tx, ctx, { person: user, content: greeting(ctx.realm.name) });
  await sendWelcomeText(tx, ctx, user, text ?? settings.welcome_message_custom_text);
  const { signup_announcements_stream_id: channelId } = settings;
  const channel = channelId > 0 ? await findChannel(tx, ctx.realm.id, channelId) : undefined;
  if (!channel || channel.isArchived) return;
  const topic = channel.topicsPolicy === "empty_topic_only" ? "" : signUpTopic;
  await sendNoticeIn(tx, ctx, {
    channel,
    topic,
    readBy: [user.id],
    content: `${silentMention(user)} joined this organization.`,
  });
}

/**
 * Sends the organization's welcome text to a new person; answers the message's id, or undefined if
 * there is none.
 */
export async function sendWelcomeText(
  tx: Tx,
  ctx: Context,
  person: UserRow,
  text: string,
): Promise<number | undefined> {
  return text.trim() === "" ? undefined : sendNoticeIn(tx, ctx, { person, content: text });
}
