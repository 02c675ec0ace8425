/** Type of a Unicode emoji, whose code is its code points. */
export const unicodeEmojiType = "unicode_emoji";
/** Type of an emoji that the organization has added, whose code is its id. */
export const realmEmojiType = "realm_emoji";
/** Type of the emoji that is not in Unicode, whose code is its name. */
export const extraEmojiType = "service_extra_emoji";
/** All types that are stored. */
export const emojiTypes = [unicodeEmojiType, realmEmojiType, extraEmojiType];
/** Name of the extra type that Zulip's clients know. Both are accepted. */
const olderExtraEmojiType = "zulip_extra_emoji";

/** Values of `reaction_type` in answers and events. */
export const shownEmojiTypes = [
  unicodeEmojiType,
  realmEmojiType,
  extraEmojiType,
  olderExtraEmojiType,
];

/** The stored type for the type that a client sends. */
export const emojiTypeOf = (type: string): string =>
  type === olderExtraEmojiType ? extraEmojiType : type;

/** The type of a stored emoji for a client. */
export const emojiTypeFor = (type: string, isOfficialClient: boolean): string =>
  isOfficialClient && type === extraEmojiType ? olderExtraEmojiType : type;
