import { characterOf } from "../model/emoji";
import type { Emoji } from "../store/emoji-use";
import { emoji as ownEmoji } from "../store/state";

/** An emoji as a character, or as a picture if it is a custom emoji. */
export function EmojiSign({ emoji }: { emoji: Emoji }) {
  const { emoji_code: code, emoji_name: name, reaction_type: type } = emoji;
  if (type === "unicode_emoji") return <span class="sign">{characterOf(code)}</span>;
  const url = type === "realm_emoji" ? ownEmoji.value.get(code)?.source_url : undefined;
  return url === undefined ? <span>:{name}:</span> : <img class="emoji" src={url} alt="" />;
}
