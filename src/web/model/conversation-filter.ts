import { plainText } from "./ranking";

/** Kinds of conversations to which a list can be restricted. */
export type FilteredKind = "all" | "unread" | "followed" | "mentions" | "direct";

/** The filter of a list of conversations. */
export interface ConversationFilter {
  readonly kind: FilteredKind;
  /** The only channel whose topics are shown; undefined if all conversations are shown. */
  readonly channelId: number | undefined;
  /** Text that the name of a conversation must contain. */
  readonly text: string;
}

export const noFilter: ConversationFilter = { kind: "all", channelId: undefined, text: "" };

/** Facts of a conversation that a filter depends on. */
export interface Filtered {
  readonly channelId: number | undefined;
  /** The names of its topic and channel, or of its people. */
  readonly name: string;
  readonly isUnread: boolean;
  readonly isFollowed: boolean;
  readonly hasMention: boolean;
}

/** Whether a filter leaves anything out. */
export const isFiltering = ({ kind, channelId, text }: ConversationFilter): boolean =>
  kind !== "all" || channelId !== undefined || text.trim() !== "";

/** Whether a conversation passes a filter. The words of the filter may be in any order. */
export function passesFilter(filter: ConversationFilter, conversation: Filtered): boolean {
  const { channelId, name } = conversation;
  if (filter.channelId !== undefined && filter.channelId !== channelId) return false;
  if (!isOfKind(filter.kind, conversation)) return false;
  const plain = plainText(name);
  return plainText(filter.text)
    .split(/\s+/)
    .every((word) => plain.includes(word));
}

function isOfKind(kind: FilteredKind, conversation: Filtered): boolean {
  switch (kind) {
    case "all":
      return true;
    case "unread":
      return conversation.isUnread;
    case "followed":
      return conversation.isFollowed;
    case "mentions":
      return conversation.hasMention;
    case "direct":
      return conversation.channelId === undefined;
  }
}

/**
 * The filter with another kind. For direct messages the channel is removed, because they are in no
 * channel.
 */
export const withKind = (filter: ConversationFilter, kind: FilteredKind): ConversationFilter => ({
  ...filter,
  kind,
  channelId: kind === "direct" ? undefined : filter.channelId,
});

/**
 * The filter with another channel. The kind for direct messages is replaced, because channels
 * contain none.
 */
export const withChannel = (
  filter: ConversationFilter,
  channelId: number | undefined,
): ConversationFilter => ({
  ...filter,
  channelId,
  kind: channelId !== undefined && filter.kind === "direct" ? "all" : filter.kind,
});
