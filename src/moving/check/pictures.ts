import { and, eq, isNotNull } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { App } from "../../core/context";
import { neededKeys } from "../backup/named-files";
import type { Finding } from "./check";

interface Picture {
  of: string;
  key: string;
}

/** Checks that the pictures of people, of emoji and of the organization exist. */
export async function checkPictures(
  { engine, files }: Pick<App, "engine" | "files">,
  realmId: number,
): Promise<Finding[]> {
  const missing: Picture[] = [];
  for (const picture of await namedPictures(engine.reader, realmId))
    if (!(await files.find(picture.key))) missing.push(picture);
  if (missing.length === 0) return [];
  // A picture that was replaced meanwhile has lost its row before its file.
  const now = new Set((await namedPictures(engine.reader, realmId)).map(({ key }) => key));
  return missing
    .filter(({ key }) => now.has(key))
    .map(({ of, key }) => ({
      part: "files",
      what: `realm ${realmId}: the picture ${key} of ${of} is missing`,
      whatToDo:
        "Put the file back from a backup of the data folder or of the S3 bucket, or upload the picture again.",
      isOfIndex: false,
    }));
}

export async function namedPictures({ db, t }: Reader, realmId: number): Promise<Picture[]> {
  const { users: u, realmEmoji: e, realms: r } = t;
  const people = await db
    .select({ id: u.id, file: u.avatarFile })
    .from(u)
    .where(and(eq(u.realmId, realmId), isNotNull(u.avatarFile)));
  const emoji = await db
    .select({ name: e.name, file: e.fileName })
    .from(e)
    .where(eq(e.realmId, realmId));
  const own = await db
    .select({ icon_file: r.iconFile, logo_file: r.logoFile, night_logo_file: r.nightLogoFile })
    .from(r)
    .where(eq(r.id, realmId));
  const realm = { realm_id: realmId };
  const picturesOf = (of: string, keys: string[]) => keys.map((key) => ({ of, key }));
  return [
    ...people.flatMap(({ id, file }) =>
      picturesOf(`user ${id}`, neededKeys("users", { ...realm, avatar_file: file })),
    ),
    ...emoji.flatMap(({ name, file }) =>
      picturesOf(`the emoji ${name}`, neededKeys("realm_emoji", { ...realm, file_name: file })),
    ),
    ...own.flatMap((row) =>
      picturesOf("the organization", neededKeys("realms", { id: realmId, ...row })),
    ),
  ];
}
