import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { remembered } from "../../memory/remembered";

/** An emoji of an organization's own. */
export interface RealmEmoji {
  id: number;
  name: string;
  authorId: number | null;
  /** It is shown where it was used before, and cannot be used any more. */
  isDeactivated: boolean;
  /** The path of its picture. */
  sourceUrl: string;
  /** The path of one that does not move, where its picture does. */
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

/** All emoji of a realm, deactivated ones too, by id. Two that are in use never share a name. */
export const listRealmEmoji = remembered(
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

const emojiPath = (realmId: number, fileName: string) =>
  `/user_avatars/${realmId}/emoji/images/${fileName}`;

/** The file of the picture that stands still beside one that moves. */
export const stillName = (fileName: string) => `still/${fileName.replace(/\.\w+$/, "")}.png`;

/** The emoji of a name that is in use. */
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

/** The id of the emoji of a name that is in use. */
export async function findUsableEmoji(
  reader: Reader,
  realmId: number,
  name: string,
): Promise<number | undefined> {
  const [emoji] = await selectUsable(reader, { realmId, name });
  return emoji?.id;
}
