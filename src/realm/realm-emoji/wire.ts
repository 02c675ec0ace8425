import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../core/params";
import type { RealmEmoji } from "./queries";

/** An emoji on the wire (`test/recorded/api/api-surface.json`, RealmEmoji). */
const realmEmojiObject = Type.Object({
  id: Type.String(),
  name: Type.String(),
  source_url: Type.String(),
  still_url: nullable(
    Type.String({ description: "Still picture, if the one of `source_url` is animated." }),
  ),
  deactivated: Type.Boolean(),
  author_id: nullable(Type.Integer()),
});

const realmEmojiWire = ({
  id,
  name,
  sourceUrl,
  stillUrl,
  isDeactivated,
  authorId,
}: RealmEmoji): Static<typeof realmEmojiObject> => ({
  id: String(id),
  name,
  source_url: sourceUrl,
  still_url: stillUrl,
  deactivated: isDeactivated,
  author_id: authorId,
});

/** Emoji by id. */
export const realmEmojiById = Type.Record(Type.String(), realmEmojiObject);

export const realmEmojiMap = (emoji: readonly RealmEmoji[]): Static<typeof realmEmojiById> =>
  Object.fromEntries(emoji.map((one) => [one.id, realmEmojiWire(one)]));
