/** What somebody says of themself, as it is stored: what is empty is not set. */
export interface Status {
  statusText: string;
  emojiName: string;
  emojiCode: string;
  reactionType: string;
}

/** The status of somebody who says nothing. */
export const noStatus: Status = { statusText: "", emojiName: "", emojiCode: "", reactionType: "" };

export type StatusObject = {
  /** Whether the person is invisible, as older clients know it; only where they are. */
  away?: true;
  status_text?: string;
  emoji_name?: string;
  emoji_code?: string;
  reaction_type?: string;
};

export const extraEmojiType = "service_extra_emoji";

/** The protocol's official clients know the extra emoji type by its older name only. */
export const emojiTypeFor = (type: string, isOfficialClient: boolean) =>
  type === extraEmojiType && isOfficialClient ? "zulip_extra_emoji" : type;

interface StatusView {
  isAway: boolean;
  isOfficialClient: boolean;
}

/** Only what is set; undefined stands for somebody who says nothing. */
export function statusWire(status: Status | undefined, { isAway, isOfficialClient }: StatusView): StatusObject {
  const { statusText, emojiName, emojiCode, reactionType } = status ?? noStatus;
  const emoji = {
    emoji_name: emojiName,
    emoji_code: emojiCode,
    reaction_type: emojiTypeFor(reactionType, isOfficialClient),
  };
  return {
    ...(isAway ? { away: true } : {}),
    ...(statusText === "" ? {} : { status_text: statusText }),
    ...(emojiName === "" ? {} : emoji),
  };
}
