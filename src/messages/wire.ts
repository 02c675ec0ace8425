import type { UserRow } from "../core/context";
import { shownTopic } from "../topics/empty-topic";
import { avatarUrl } from "../users/avatar";

/** A message with everything that its protocol object shows, but for what differs from reader to reader. */
export interface FullMessage {
  id: number;
  senderId: number;
  channelId: number | null;
  sentChannelId: number | null;
  placedAt: number;
  conversationId: number | null;
  topic: string;
  content: string;
  renderedContent: string;
  client: string;
  sentAt: number;
  readBySender: boolean;
  sender: Pick<UserRow, "id" | "email" | "fullName">;
  channelName: string | undefined;
  /** The people of a direct conversation; empty for a channel message. */
  participants: Pick<UserRow, "id" | "email" | "fullName">[];
  reactions: WireReaction[];
}

export interface WireReaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
  user_id: number;
}

/** How a client wants its messages. */
export interface MessageView {
  applyMarkdown: boolean;
  clientGravatar: boolean;
  emptyTopicName: boolean;
  isOfficialClient: boolean;
  realmHost: string;
}

const isMeMessage = (content: string) => content.startsWith("/me ");

/** A number that is one channel's or one conversation's alone. */
const recipientId = ({ channelId, conversationId }: FullMessage) =>
  channelId === null ? (conversationId ?? 0) * 2 + 1 : channelId * 2;

/** The protocol's message object (`spec/seed.md`, Message object). */
export function messageWire(message: FullMessage, view: MessageView): Record<string, unknown> {
  const { sender } = message;
  return {
    id: message.id,
    sender_id: message.senderId,
    content: view.applyMarkdown ? message.renderedContent : message.content,
    content_type: view.applyMarkdown ? "text/html" : "text/x-markdown",
    recipient_id: recipientId(message),
    timestamp: message.sentAt,
    client: message.client,
    subject: message.channelId === null ? message.topic : shownTopic(message.topic, view.emptyTopicName),
    topic_links: [],
    is_me_message: isMeMessage(message.content),
    reactions: message.reactions.map((reaction) => shownReaction(reaction, view)),
    submessages: [],
    sender_full_name: sender.fullName,
    sender_email: sender.email,
    sender_realm_str: view.realmHost,
    display_recipient: message.channelName ?? message.participants.map(participantWire),
    type: message.channelId === null ? "private" : "stream",
    ...(message.channelId === null ? {} : { stream_id: message.channelId }),
    avatar_url: avatarUrl(sender, view.clientGravatar),
  };
}

const participantWire = ({ id, email, fullName }: FullMessage["participants"][number]) => ({
  id,
  email,
  full_name: fullName,
  is_mirror_dummy: false,
});

/** The protocol's official clients know the extra emoji type by its older name only. */
export function shownReaction(
  reaction: WireReaction,
  { isOfficialClient }: { isOfficialClient: boolean },
): WireReaction {
  const isRenamed = isOfficialClient && reaction.reaction_type === "service_extra_emoji";
  return isRenamed ? { ...reaction, reaction_type: "zulip_extra_emoji" } : reaction;
}
