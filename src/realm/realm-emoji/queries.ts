import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { cached } from "../../memory/cached";

/** An emoji of an organization's own. */
export interface RealmEmoji {
  id: number;
  name: string;
  authorId: number | null;
  /** Old messages still show it, but it cannot be used any more. */
  isDeactivated: boolean;
  /** The path of its picture. */
  sourceUrl: string;
  /** The path of a still picture, if its picture is animated. */
  stillUrl: string | null;
  fileName: string;
  sourceDigest: string | null;
}

const selectAll = statement((db, { realmEmoji }, given: Given<{ realmId: number }>) =>
  db
    .select()
    .from(realmEmoji)
    .where(eq(realmEmoji.realmId, given.realmId))
    .orderBy(asc(realmEmoji.id)),
);

/** All emoji of a realm, including deactivated ones, by id. Active ones never share a name. */
export const listRealmEmoji = cached(
  ["realm_emoji"],
  async (reader, realmId): Promise<readonly RealmEmoji[]> => {
    const rows = await selectAll(reader, { realmId });
    return rows.map(({ id, name, activeName, authorId, fileName, isAnimated, sourceDigest }) => ({
      id,
      name,
      authorId,
      fileName,
      sourceDigest,
      isDeactivated: activeName === null,
      sourceUrl: emojiPath(realmId, fileName),
      stillUrl: isAnimated ? emojiPath(realmId, stillName(fileName)) : null,
    }));
  },
);

/** The path of an emoji's picture. */
export const emojiPath = (realmId: number, fileName: string) =>
  `/user_avatars/${realmId}/emoji/images/${fileName}`;

/** The file of the still picture beside an animated one. */
export const stillName = (fileName: string) => `still/${fileName.replace(/\.\w+$/, "")}.png`;

/** The active emoji with a name. */
export async function findActiveEmoji(
  reader: Reader,
  realmId: number,
  name: string,
): Promise<RealmEmoji | undefined> {
  return (await listRealmEmoji(reader, realmId)).find(
    (emoji) => emoji.name === name && !emoji.isDeactivated,
  );
}

const selectUsable = statement(
  (db, { realmEmoji }, given: Given<{ realmId: number; name: string }>) =>
    db
      .select({ id: realmEmoji.id })
      .from(realmEmoji)
      .where(and(eq(realmEmoji.realmId, given.realmId), eq(realmEmoji.activeName, given.name))),
);

/** The id of the active emoji with a name. */
export async function findUsableEmoji(
  reader: Reader,
  realmId: number,
  name: string,
): Promise<number | undefined> {
  const [emoji] = await selectUsable(reader, { realmId, name });
  return emoji?.id;
}
