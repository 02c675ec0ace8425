import type { Event, RealmEmoji, Register } from "./wire";

/**
 * The custom emoji of the organization by id. Deactivated ones are included, because older messages
 * show them.
 */
type RealmEmojis = ReadonlyMap<string, RealmEmoji>;

export const emojiFrom = ({ realm_emoji }: Register): RealmEmojis =>
  new Map(Object.entries(realm_emoji));

export const applyEmoji = (emoji: RealmEmojis, event: Event): RealmEmojis =>
  event.type === "realm_emoji" ? new Map(Object.entries(event.realm_emoji)) : emoji;

/** The characters of an emoji from its hexadecimal code points, for example `1f44d-1f3fd`. */
export const characterOf = (code: string): string =>
  String.fromCodePoint(...code.split("-").map((one) => Number.parseInt(one, 16)));
