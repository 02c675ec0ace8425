import { and, asc, gt } from "drizzle-orm";
import { realmEmojiType } from "../../emoji/emoji-types";
import type { SkipReport } from "../import/report";
import type { ArchiveRow } from "./archive-file";
import { archivedEmojiType } from "./people";
import type { Snapshot } from "./snapshot";

const rowsPerPage = 5_000;

/**
 * All reactions, page by page. A reaction with an emoji of the organization that has been renamed
 * since is left out, because the importer ends with an error at it.
 */
export async function* reactionRows(
  { reader }: Snapshot,
  left: SkipReport,
): AsyncGenerator<ArchiveRow> {
  const { reactions: r, realmEmoji } = reader.t;
  const emoji = await reader.db.select().from(realmEmoji);
  const nameOf = new Map(emoji.map(({ id, name }) => [String(id), name]));
  for (let after = 0; ; ) {
    const rows = await reader.db
      .select()
      .from(r)
      .where(and(gt(r.id, after)))
      .orderBy(asc(r.id))
      .limit(rowsPerPage);
    for (const one of rows) {
      if (one.reactionType === realmEmojiType && nameOf.get(one.emojiCode) !== one.emojiName) {
        left.add("reactions", one.id, "their emoji has been renamed");
        continue;
      }
      yield {
        id: one.id,
        message: one.messageId,
        user_profile: one.userId,
        emoji_name: one.emojiName,
        emoji_code: one.emojiCode,
        reaction_type: archivedEmojiType(one.reactionType),
      };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
