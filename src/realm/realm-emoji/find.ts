import type { Reader } from "../../../db/reader";
import { badRequest } from "../../core/errors";
import {
  emojiTypeOf,
  extraEmojiType,
  realmEmojiType,
  unicodeEmojiType,
} from "../../emoji/emoji-types";
import { emojiCode, extraEmojiName } from "../../emoji/table";
import { findUsableEmoji } from "./queries";

/** An emoji as a client gives it: code and type are optional and follow from the name. */
export interface NamedEmoji {
  name: string;
  code: string | undefined;
  type: string | undefined;
}

/** An emoji that exists. */
export interface Emoji {
  emojiName: string;
  emojiCode: string;
  reactionType: string;
}

export const unknownEmoji = (name: string) => badRequest(`Emoji '${name}' does not exist.`);

/**
 * The emoji for a client's data: an organization's own emoji comes before others with its name.
 * Refuses (BAD_REQUEST) one that does not exist, a deactivated own one, and a code that does not
 * match the name. Needs at most one statement.
 */
export async function findEmoji(
  reader: Reader,
  realmId: number,
  named: NamedEmoji,
): Promise<Emoji> {
  const { name, code } = named;
  const type = named.type === undefined ? undefined : emojiTypeOf(named.type);
  if (type === undefined || type === realmEmojiType) {
    const emojiId = await findUsableEmoji(reader, realmId, name);
    if (emojiId !== undefined && (code === undefined || String(emojiId) === code)) {
      return { emojiName: name, emojiCode: String(emojiId), reactionType: realmEmojiType };
    }
    if (type === realmEmojiType) throw badRequest("Invalid custom emoji.");
  }
  if (type === extraEmojiType || (type === undefined && name === extraEmojiName))
    return extraEmoji(named);
  if (type !== undefined && type !== unicodeEmojiType) throw badRequest("Invalid emoji type.");
  const unicodeCode = emojiCode(name);
  if (unicodeCode === undefined) throw unknownEmoji(name);
  if (code !== undefined && code !== unicodeCode) throw badRequest("Invalid emoji name.");
  return { emojiName: name, emojiCode: unicodeCode, reactionType: unicodeEmojiType };
}

function extraEmoji({ name, code = name }: NamedEmoji): Emoji {
  if (name !== extraEmojiName || code !== name) throw unknownEmoji(name);
  return { emojiName: name, emojiCode: name, reactionType: extraEmojiType };
}
