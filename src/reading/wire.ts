import { type Static, Type } from "@sinclair/typebox";
import { shownTopic } from "../channels/topics/empty-topic";
import type { UserRow } from "../core/context";
import { nullable, word } from "../core/params";
import {
  type GuardedPerson,
  guardedAmong,
  mayReadGuarded,
  type Viewer,
} from "../core/rights/person-visibility";
import { emojiTypeFor, shownEmojiTypes } from "../emoji/emoji-types";
import type { TopicLink } from "../markdown/linkifiers";
import { avatarUrl } from "../people/users/avatar";
import { type NamedPerson, shownPerson } from "../people/users/shown";
import {
  type EditRow,
  editObject,
  editWire,
  type HistoryPolicy,
  visibleEdits,
} from "./edit-history";
import { submessageObject, type WireSubmessage } from "./widgets";

/** An emoji that somebody has put on a message. */
export const reactionObject = Type.Object(
  {
    emoji_name: Type.String(),
    emoji_code: Type.String({
      description: "A Unicode emoji's code points in hexadecimal, or an organization emoji's id.",
    }),
    reaction_type: Type.String({
      enum: shownEmojiTypes,
      description:
        "`unicode_emoji`, `realm_emoji` or `service_extra_emoji`, which clients with `zulip` in their name get as `zulip_extra_emoji`.",
    }),
    user_id: Type.Integer(),
  },
  { title: "Reaction" },
);

export type WireReaction = Static<typeof reactionObject>;

/** A link that the organization's linkifiers find in a topic. */
export const topicLinkObject = Type.Object(
  { text: Type.String(), url: Type.String() },
  { title: "TopicLink" },
);

const participantObject = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  full_name: Type.String(),
  is_mirror_dummy: Type.Boolean(),
});

/**
 * The protocol's message object (`docs/protocol/specification.md`, Message object), without the
 * fields that differ between readers.
 */
export const messageObject = Type.Object(
  {
    id: Type.Integer(),
    sender_id: Type.Integer(),
    content: Type.String(),
    content_type: word("text/html", "text/x-markdown"),
    recipient_id: Type.Integer({
      description: "A unique number of the channel or the direct conversation.",
    }),
    timestamp: Type.Integer({ description: "When it was sent, in UNIX seconds." }),
    client: Type.String({ description: "The client program that sent it." }),
    subject: Type.String({ description: "The topic; empty for a direct message." }),
    topic_links: Type.Array(topicLinkObject),
    is_me_message: Type.Boolean({
      description: "Whether it is written in the third person (`/me`).",
    }),
    reactions: Type.Array(reactionObject),
    submessages: Type.Array(submessageObject),
    last_edit_timestamp: Type.Optional(
      Type.Integer({ description: "When its content was changed last." }),
    ),
    last_moved_timestamp: Type.Optional(Type.Integer({ description: "When it was moved last." })),
    edit_history: Type.Optional(Type.Array(editObject, { description: "Newest first." })),
    sender_full_name: Type.String(),
    sender_email: Type.String(),
    sender_realm_str: Type.String(),
    display_recipient: Type.Union([Type.String(), Type.Array(participantObject)], {
      description: "The name of the channel, or the people of the direct conversation.",
    }),
    type: word("stream", "private"),
    stream_id: Type.Optional(Type.Integer({ description: "Only of a message in a channel." })),
    avatar_url: nullable(Type.String()),
  },
  { title: "Message" },
);

type WireMessage = Static<typeof messageObject>;

/** Flags of the event's message for its recipient. */
export const recipientFlags = Type.Array(Type.String(), {
  description: "Flags of the message for the recipient.",
});

/** A message object for its reader. */
export const readMessageObject = Type.Object(
  { ...messageObject.properties, flags: Type.Array(Type.String()) },
  { title: "ReadMessage" },
);

/** A message's content and topic with the words of a search highlighted, as HTML. */
export const matchObject = Type.Object(
  { match_content: Type.String(), match_subject: Type.String() },
  { title: "SearchMatch" },
);

/** Parts of a message's protocol object in addition to its own row. */
export interface MessageParts {
  sender: NamedPerson & Pick<UserRow, "isSystemBot">;
  channelName: string | undefined;
  /** The people of a direct conversation; empty for a channel message. */
  participants: NamedPerson[];
  reactions: WireReaction[];
  submessages: WireSubmessage[];
  /** Links that the organization's linkifiers find in its topic. */
  topicLinks: TopicLink[];
  /** States before its newest changes, newest first. */
  edits: EditRow[];
}

/** A message with all fields of its protocol object, except those that differ between readers. */
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
  /**
   * The id of the channel it was sent to, if it mentions everybody there; 0 if it mentions
   * everybody in its conversation.
   */
  mentionsAllOf: number | null;
  /** Times of the last change of its content and of its last move, except resolving its topic. */
  lastEditedAt: number | null;
  lastMovedAt: number | null;
}

/** The ids of the people in some messages. */
export const peopleIn = (messages: readonly FullMessage[]): number[] => [
  ...new Set(
    messages.flatMap(({ senderId, participants }) => [
      senderId,
      ...participants.map(({ id }) => id),
    ]),
  ),
];

/**
 * The people in a message whose real addresses not everybody may read, so that there are more
 * variants.
 */
export const guardedPeople = ({ sender, participants }: FullMessage): GuardedPerson[] =>
  guardedAmong([sender, ...participants]);

/**
 * The people among these whose addresses a viewer may read, as a bit mask for the name of a
 * variant.
 */
export const addressMask = (guarded: readonly GuardedPerson[], viewer: Viewer): string =>
  guarded.map((person) => Number(mayReadGuarded(viewer, person))).join("");

/** Form of messages that a client wants, and the person who reads them. */
export interface MessageView {
  viewer: Viewer;
  applyMarkdown: boolean;
  clientGravatar: boolean;
  emptyTopicName: boolean;
  isOfficialClient: boolean;
  realmHost: string;
  editHistory: HistoryPolicy;
}

/** Whether a message is written in the third person (`/me`). */
export const isMeMessage = (content: string) => content.startsWith("/me ");

/** A unique number of a channel or a conversation. */
const recipientId = ({ channelId, conversationId }: FullMessage) =>
  channelId === null ? (conversationId ?? 0) * 2 + 1 : channelId * 2;

/** The protocol's message object. */
export function messageWire(message: FullMessage, view: MessageView): WireMessage {
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
    subject:
      message.channelId === null ? message.topic : shownTopic(message.topic, view.emptyTopicName),
    topic_links: message.topicLinks,
    is_me_message: isMeMessage(message.content),
    reactions: message.reactions.map((reaction) => shownReaction(reaction, view)),
    submessages: message.submessages,
    ...changesWire(message, view),
    sender_full_name: shown.fullName,
    sender_email: shown.email,
    sender_realm_str: view.realmHost,
    display_recipient:
      message.channelName ?? message.participants.map((one) => participantWire(one, view)),
    type: message.channelId === null ? "private" : "stream",
    ...(message.channelId === null ? {} : { stream_id: message.channelId }),
    // Pictures of system bots are always given, because clients cannot make their addresses.
    avatar_url: avatarUrl(
      shown,
      view.clientGravatar && shown.mayReadAddress && !sender.isSystemBot,
    ),
  };
}

/**
 * Changes of a message and their times: left out where there are none, or none that people may see.
 */
function changesWire(
  { lastEditedAt, lastMovedAt, edits }: FullMessage,
  { editHistory, emptyTopicName }: MessageView,
) {
  const visible = edits.length === 0 ? [] : visibleEdits(edits, editHistory);
  return {
    ...(lastEditedAt === null ? {} : { last_edit_timestamp: lastEditedAt }),
    ...(lastMovedAt === null ? {} : { last_moved_timestamp: lastMovedAt }),
    ...(visible.length === 0
      ? {}
      : { edit_history: visible.map((edit) => editWire(edit, emptyTopicName)) }),
  };
}

function participantWire(person: NamedPerson, view: MessageView) {
  const { email, fullName: full_name } = shownPerson(person, view);
  return { id: person.id, email, full_name, is_mirror_dummy: false };
}

/** A reaction for a client. */
function shownReaction(
  reaction: WireReaction,
  { isOfficialClient }: { isOfficialClient: boolean },
): WireReaction {
  const reaction_type = emojiTypeFor(reaction.reaction_type, isOfficialClient);
  return reaction_type === reaction.reaction_type ? reaction : { ...reaction, reaction_type };
}
