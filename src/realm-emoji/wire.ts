import type { RealmEmoji } from "./queries";

/** An emoji on the wire (`api/api-surface.json`, RealmEmoji). */
const realmEmojiWire = ({ id, name, sourceUrl, stillUrl, isDeactivated, authorId }: RealmEmoji) => ({
  ...{ id: String(id), name, source_url: sourceUrl, still_url: stillUrl, deactivated: isDeactivated },
  author_id: authorId,
});

export type WireRealmEmoji = ReturnType<typeof realmEmojiWire>;

/** Emoji by id. */
export const realmEmojiMap = (emoji: readonly RealmEmoji[]): Record<string, WireRealmEmoji> =>
  Object.fromEntries(emoji.map((one) => [one.id, realmEmojiWire(one)]));
