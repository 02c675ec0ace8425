/** What somebody says of themself, as it is stored: what is empty is not set. */
export interface Status {
  statusText: string;
  emojiName: string;
  emojiCode: string;
  reactionType: string;
}

export type StatusObject = {
  status_text?: string;
  emoji_name?: string;
  emoji_code?: string;
  reaction_type?: string;
};

export const extraEmojiType = "service_extra_emoji";

/** The protocol's official clients know the extra emoji type by its older name only. */
export const emojiTypeFor = (type: string, isOfficialClient: boolean) =>
  type === extraEmojiType && isOfficialClient ? "zulip_extra_emoji" : type;

/** Only what is set. */
export function statusWire(status: Status, isOfficialClient: boolean): StatusObject {
  const { statusText, emojiName, emojiCode, reactionType } = status;
  const emoji = {
    emoji_name: emojiName,
    emoji_code: emojiCode,
    reaction_type: emojiTypeFor(reactionType, isOfficialClient),
  };
  return { ...(statusText === "" ? {} : { status_text: statusText }), ...(emojiName === "" ? {} : emoji) };
}
