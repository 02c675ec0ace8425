import type { Reader } from "../../../db/reader";
import { isSelf } from "../../core/account";
import type { Context } from "../../core/context";
import { ApiError, refusedFor } from "../../core/errors";
import { emojiCode, extraEmojiName } from "../../emoji/table";
import { may, requireMay } from "../../people/user-groups/may";
import { requireMember } from "../../people/user-groups/permission";
import { findActiveEmoji, type RealmEmoji } from "../../realm/realm-emoji/queries";

/** Whether a name is that of a built-in emoji. */
const isBuiltIn = (name: string) => name === extraEmojiName || emojiCode(name) !== undefined;

const notPermitted = () =>
  refusedFor(
    "emoji-add",
    "You do not have permission to add custom emoji. Ask an administrator of your organization.",
  );

/**
 * Refuses (BAD_REQUEST) guests, actors without `can_add_custom_emoji_group`, and all but
 * administrators where a built-in emoji would be hidden.
 */
export async function requireMayAdd(reader: Reader, ctx: Context, name: string) {
  await requireMember(reader, ctx);
  await requireMay(reader, ctx, notPermitted, { realm: "can_add_custom_emoji_group" });
  if (!isBuiltIn(name)) return;
  const refusal = () =>
    refusedFor(
      "emoji-built-in",
      `:${name}: is an emoji that everybody has. Only administrators may replace it.`,
      name,
    );
  await requireMay(reader, ctx, refusal, { role: "administrator" });
}

/**
 * An active emoji that the actor may remove: one of their own, or any for administrators. Refuses
 * (BAD_REQUEST, 404 where there is none).
 */
export async function loadEmojiToRemove(
  reader: Reader,
  ctx: Context,
  name: string,
): Promise<RealmEmoji> {
  await requireMember(reader, ctx);
  const emoji = await findActiveEmoji(reader, ctx.realm.id, name);
  if (!emoji) throw noSuchEmoji(name);
  if (await may(reader, ctx, { role: "administrator" })) return emoji;
  await requireMay(reader, ctx, mayNotRemove, { realm: "can_add_custom_emoji_group" });
  if (isSelf(ctx.actor, emoji.authorId)) return emoji;
  throw mayNotRemove();
}

const mayNotRemove = () =>
  refusedFor(
    "emoji-remove",
    "Only administrators, and the person who added an emoji and may add more, may remove it.",
  );

function noSuchEmoji(name: string): ApiError {
  const reason = { name: "emoji-gone", values: [name] } as const;
  return new ApiError("BAD_REQUEST", `Emoji '${name}' does not exist.`, 404, {}, reason);
}
