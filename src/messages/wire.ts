import type { UserRow } from "../core/context";
import { isAddressOpen, mayReadAddress, type Onlooker } from "../core/sight";
import type { TopicLink } from "../markdown/linkifiers";
import { shownTopic } from "../topics/empty-topic";
import { avatarUrl } from "../users/avatar";
import { type NamedPerson, shownPerson } from "../users/shown";
import { type EditRow, editWire, type HistoryPolicy, visibleEdits } from "./edit/edit-history";
import type { WireSubmessage } from "./send/widgets";

/** What the protocol object of a message shows beside its own row. */
export interface MessageParts {
  sender: NamedPerson & Pick<UserRow, "isSystemBot">;
  channelName: string | undefined;
  /** The people of a direct conversation; empty for a channel message. */
  participants: NamedPerson[];
  reactions: WireReaction[];
  submessages: WireSubmessage[];
  /** What the organization's linkifiers find in its topic. */
  topicLinks: TopicLink[];
  /** What it was before its newest changes, newest first. */
  edits: EditRow[];
}

/** A message with everything that its protocol object shows, but for what differs from reader to reader. */
export interface FullMessage extends MessageParts {
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
  /** The channel that it was sent to where it mentions all who had it, 0 where it mentions all of its conversation. */
  mentionsAllOf: number | null;
  /** When its content was changed last, and when it was moved last, other than by resolving its topic. */
  lastEditedAt: number | null;
  lastMovedAt: number | null;
}

export interface WireReaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
  user_id: number;
}

/** The ids of the people whom some messages show. */
export const peopleIn = (messages: readonly FullMessage[]): number[] => [
  ...new Set(messages.flatMap(({ senderId, participants }) => [senderId, ...participants.map(({ id }) => id)])),
];

/** The people in a message whose real addresses not everybody may read: they make for more variants. */
export const guardedPeople = ({ sender, participants }: FullMessage): NamedPerson[] =>
  [sender, ...participants].filter((person) => !isAddressOpen(person));

/** Whose addresses of these an onlooker may read, as a part of the name of a variant. */
export const addressMask = (guarded: readonly NamedPerson[], onlooker: Onlooker): string =>
  guarded.map((person) => Number(mayReadAddress(onlooker, person))).join("");

/** How a client wants its messages, and who reads them. */
export interface MessageView {
  onlooker: Onlooker;
  applyMarkdown: boolean;
  clientGravatar: boolean;
  emptyTopicName: boolean;
  isOfficialClient: boolean;
  realmHost: string;
  editHistory: HistoryPolicy;
}

/** Whether a message tells what its sender does (`/me`). */
export const isMeMessage = (content: string) => content.startsWith("/me ");

/** A number that is one channel's or one conversation's alone. */
const recipientId = ({ channelId, conversationId }: FullMessage) =>
  channelId === null ? (conversationId ?? 0) * 2 + 1 : channelId * 2;

/** The protocol's message object (`spec/seed.md`, Message object). */
export function messageWire(message: FullMessage, view: MessageView): Record<string, unknown> {
  const { sender } = message;
  const shown = shownPerson(sender, view);
  return {
    id: message.id,
    sender_id: message.senderId,
    content: view.applyMarkdown ? message.renderedContent : message.content,
    content_type: view.applyMarkdown ? "text/html" : "text/x-markdown",
    recipient_id: recipientId(message),
    timestamp: message.sentAt,
    client: message.client,
    subject: message.channelId === null ? message.topic : shownTopic(message.topic, view.emptyTopicName),
    topic_links: message.topicLinks,
    is_me_message: isMeMessage(message.content),
    reactions: message.reactions.map((reaction) => shownReaction(reaction, view)),
    submessages: message.submessages,
    ...changesWire(message, view),
    sender_full_name: shown.fullName,
    sender_email: shown.email,
    sender_realm_str: view.realmHost,
    display_recipient: message.channelName ?? message.participants.map((one) => participantWire(one, view)),
    type: message.channelId === null ? "private" : "stream",
    ...(message.channelId === null ? {} : { stream_id: message.channelId }),
    // The bots of the system belong to nobody who has a picture elsewhere: clients cannot make their addresses.
    avatar_url: avatarUrl(shown, view.clientGravatar && shown.mayReadAddress && !sender.isSystemBot),
  };
}

/** What was changed of a message and when: absent where nothing was, or nothing that people may see. */
function changesWire({ lastEditedAt, lastMovedAt, edits }: FullMessage, { editHistory, emptyTopicName }: MessageView) {
  const visible = edits.length === 0 ? [] : visibleEdits(edits, editHistory);
  return {
    ...(lastEditedAt === null ? {} : { last_edit_timestamp: lastEditedAt }),
    ...(lastMovedAt === null ? {} : { last_moved_timestamp: lastMovedAt }),
    ...(visible.length === 0 ? {} : { edit_history: visible.map((edit) => editWire(edit, emptyTopicName)) }),
  };
}

function participantWire(person: NamedPerson, view: MessageView) {
  const { email, fullName: full_name } = shownPerson(person, view);
  return { id: person.id, email, full_name, is_mirror_dummy: false };
}

/** The protocol's official clients know the extra emoji type by its older name only. */
export function shownReaction(
  reaction: WireReaction,
  { isOfficialClient }: { isOfficialClient: boolean },
): WireReaction {
  const isRenamed = isOfficialClient && reaction.reaction_type === "service_extra_emoji";
  return isRenamed ? { ...reaction, reaction_type: "zulip_extra_emoji" } : reaction;
}
