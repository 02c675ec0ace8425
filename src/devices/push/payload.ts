import { findChannel } from "../../channels/queries";
import { shownTopic } from "../../channels/topics/empty-topic";
import type { RealmRow, UserRow } from "../../core/context";
import type { JobContext } from "../../jobs/define";
import { loadGroup } from "../../people/user-groups/queries";
import { avatarUrl } from "../../people/users/avatar";
import { loadUser } from "../../people/users/queries";
import { shownPerson } from "../../people/users/shown";
import { viewerFor } from "../../people/users/viewer";
import { type MessageRow, participantIds } from "../../reading/queries";
import { plainText } from "./plain-text";

interface Place {
  realm: RealmRow;
  /** The address of the organization, without a slash at its end. */
  url: string;
}

const head = ({ realm, url }: Place, userId: number) => ({
  realm_name: realm.name,
  realm_url: url,
  user_id: userId,
});

/** A test notification. Source: the mobile notifications page of the protocol's documentation. */
export const testPayload = (place: Place, userId: number, now: number) => ({
  type: "test" as const,
  time: now,
  ...head(place, userId),
});

/** Payload that removes notifications of messages from the screen. Source: as for `testPayload`. */
export const removePayload = (place: Place, userId: number, messageIds: readonly number[]) => ({
  type: "remove" as const,
  message_ids: messageIds,
  ...head(place, userId),
});

/**
 * Payload that notifies somebody of a message, with only those facts about the sender that they may
 * see. `groupId`: the group whose mention reached them. Source: as for `testPayload`.
 */
export async function messagePayload(
  ctx: JobContext,
  user: UserRow,
  message: MessageRow,
  groupId?: number,
) {
  const { reader, realm, url } = ctx;
  const sender = await loadUser(reader, realm.id, message.senderId);
  const viewer = await viewerFor(reader, realm, user, [sender.id]);
  const { email, fullName, picture } = shownPerson(sender, { viewer, realmHost: realm.host });
  return fitted({
    type: "message" as const,
    message_id: message.id,
    time: message.sentAt,
    ...head(ctx, user.id),
    sender_id: sender.id,
    sender_full_name: fullName,
    sender_avatar_url: new URL(avatarUrl({ email, picture }, false), `${url}/`).href,
    content: plainText(message.renderedContent),
    ...(await placeOf(ctx, message)),
    ...(await groupOf(ctx, groupId)),
  });
}

/** Encrypted and in base64 these are 4 KiB, the limit of push services. */
const payloadBytesMax = 2_900;

const sizeBytes = (payload: object) => Buffer.byteLength(JSON.stringify(payload));

/** Shortens the message's text so that the payload, with its names and ids, is within the limit. */
export function fitted<Message extends { content: string }>(payload: Message): Message {
  if (sizeBytes(payload) <= payloadBytesMax) return payload;
  const characters = [...payload.content];
  while (
    characters.length > 0 &&
    sizeBytes({ ...payload, content: `${characters.join("")}…` }) > payloadBytesMax
  ) {
    characters.pop();
  }
  return { ...payload, content: `${characters.join("")}…` };
}

export type MessagePayload = Awaited<ReturnType<typeof messagePayload>>;
export type Payload =
  | MessagePayload
  | ReturnType<typeof testPayload>
  | ReturnType<typeof removePayload>;

async function placeOf(
  { reader, realm }: JobContext,
  { channelId, conversationId, topic }: MessageRow,
) {
  const channel = channelId === null ? undefined : await findChannel(reader, realm.id, channelId);
  if (channel) {
    return {
      recipient_type: "channel" as const,
      channel_id: channel.id,
      channel_name: channel.name,
      topic: shownTopic(topic, false),
    };
  }
  const recipient_user_ids = await participantIds(reader, realm.id, conversationId ?? 0);
  return { recipient_type: "direct" as const, recipient_user_ids };
}

async function groupOf({ reader, realm }: JobContext, groupId: number | undefined) {
  if (groupId === undefined) return {};
  const group = await loadGroup(reader, realm.id, groupId);
  return { mentioned_user_group_id: group.id, mentioned_user_group_name: group.name };
}
