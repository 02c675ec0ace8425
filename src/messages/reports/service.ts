import { type ChannelRow, findChannel } from "../../channels/queries";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { silentMention } from "../../core/notice-actor";
import { type Input, id, optional, record, text } from "../../core/params";
import { isLonger } from "../../core/text/name";
import { write } from "../../core/write";
import { quoted } from "../../markdown/quote";
import { findUser } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { lengthsMax } from "../../protocol/limits";
import { messageAddress } from "../../reading/message-address";
import { loadReadableMessage, type MessageRow } from "../../reading/queries";
import { parseRealmSettings } from "../../realm/settings";
import { sendNoticeIn } from "../send/notice";
import { reportMessageTypes } from "./report-types";

export const ReportMessage = record({
  messageId: id(),
  reportType: text(),
  description: optional(text()),
});

/**
 * Reports a message that the actor may read to the organization's moderation request channel, where
 * Notification Bot posts the reporter, the sender, the reason, the text and its place. Event:
 * message, to the subscribers of that channel. Refuses (BAD_REQUEST) where there is no such channel
 * or it is not private, a message that is missing or not readable, an unknown type, a description
 * that is too long, and a missing one for the type `other`. Source:
 * `docs/protocol/specification.md`, POST /messages/{message_id}/report.
 */
export async function reportMessage(
  ctx: Context<Person>,
  input: Input<typeof ReportMessage>,
): Promise<undefined> {
  const type = reportMessageTypes.find(({ key }) => key === input.reportType);
  if (!type)
    throw badRequest(
      `report_type must be one of ${reportMessageTypes.map(({ key }) => key).join(", ")}.`,
    );
  const description = (input.description ?? "").trim();
  if (type.key === "other" && description === "")
    throw badRequest("Describe what is wrong with the message.");
  const { reportDescription: lengthMax } = lengthsMax;
  if (isLonger(description, lengthMax))
    throw badRequest(`A description has at most ${lengthMax} characters.`);
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const channel = await loadModerationChannel(tx, current);
    const message = await loadReadableMessage(tx, current, input.messageId);
    const sender = await findUser(tx, current.realm.id, message.senderId);
    if (!sender) throw new Error("A message has no sender.");
    const content = await described(tx, current, {
      message,
      sender,
      reason: type.name,
      description,
    });
    await sendNoticeIn(tx, current, {
      channel,
      topic: `${sender.fullName}'s moderation requests`,
      content,
    });
  });
}

async function loadModerationChannel(tx: Tx, { realm }: Context): Promise<ChannelRow> {
  const channelId = parseRealmSettings(realm.settings).moderation_request_channel_id;
  const channel =
    typeof channelId === "number" ? await findChannel(tx, realm.id, channelId) : undefined;
  if (channel?.inviteOnly && !channel.isArchived) return channel;
  throw badRequest(
    "This organization has no private channel for reports: ask an administrator to choose one.",
  );
}

interface Report {
  message: MessageRow;
  sender: UserRow;
  reason: string;
  description: string;
}

/** The place is named only for public channels, because moderators may not know of others. */
async function described(
  tx: Tx,
  ctx: Context<Person>,
  { message, sender, reason, description }: Report,
) {
  const { realm, actor } = ctx;
  const channel =
    message.channelId === null ? undefined : await findChannel(tx, realm.id, message.channelId);
  const isOpen = channel !== undefined && !channel.inviteOnly;
  const address = isOpen ? await messageAddress(tx, realm.id, message) : `#narrow/id/${message.id}`;
  const where =
    channel === undefined ? "direct message" : isOpen ? "message" : "message in a private channel";
  const notes = description === "" ? [] : ["Notes:", quoted(description)];
  return [
    `${silentMention(actor.user)} reported [a ${where}](${address}) that ${silentMention(sender)} sent.`,
    `Reason: **${reason}**`,
    ...notes,
    "The message says:",
    quoted(message.content),
  ].join("\n\n");
}
