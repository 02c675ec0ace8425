/** Type of an emoji of Unicode, by its code points. */
export const unicodeEmojiType = "unicode_emoji";
/** Type of an emoji that the organization has added, by its id. */
export const realmEmojiType = "realm_emoji";
/** Type of the emoji that Unicode does not have, by its name. */
export const extraEmojiType = "service_extra_emoji";
/** Name of the extra type that official clients know. Both are accepted. */
const olderExtraEmojiType = "zulip_extra_emoji";

/** Values of `reaction_type` in answers and events. */
export const shownEmojiTypes = [
  unicodeEmojiType,
  realmEmojiType,
  extraEmojiType,
  olderExtraEmojiType,
];

/** Type under which an emoji is stored, from the one that a client names. */
export const emojiTypeOf = (type: string): string =>
  type === olderExtraEmojiType ? extraEmojiType : type;

/** Type of a stored emoji as a client is shown it. */
export const emojiTypeFor = (type: string, isOfficialClient: boolean): string =>
  isOfficialClient && type === extraEmojiType ? olderExtraEmojiType : type;
