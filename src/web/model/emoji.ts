import type { Event, RealmEmoji, Register } from "./wire";

/** The organization's own emoji by id; deactivated ones too, because older messages show them. */
export type RealmEmojis = ReadonlyMap<string, RealmEmoji>;

export const emojiFrom = ({ realm_emoji }: Register): RealmEmojis =>
  new Map(Object.entries(realm_emoji));

export const applyEmoji = (emoji: RealmEmojis, event: Event): RealmEmojis =>
  event.type === "realm_emoji" ? new Map(Object.entries(event.realm_emoji)) : emoji;

/** The emoji that may be used under a name. */
export const emojiNamed = (emoji: RealmEmojis, name: string): RealmEmoji | undefined =>
  [...emoji.values()].find((one) => one.name === name && !one.deactivated);
