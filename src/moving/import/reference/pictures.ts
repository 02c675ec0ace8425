import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { prepareRealmPicture } from "../../../management/realm-pictures/change";
import { avatarNameLength, makeAvatarFiles } from "../../../people/avatars/files";
import { pictureColumns, pictureSources, realmPictureKeys } from "../../../realm/assets";
import { makeEmojiImage } from "../../../realm/realm-emoji/image";
import { givenList, givenNumber, givenText } from "../json";
import { personOf, realmRow, type Source, tableOf } from "./source";

const { uploaded } = pictureSources;
/** Size limit of a picture; a larger file is not imported. */
const pictureBytesMax = 10 * 1024 * 1024;
/** Lane in which jobs for pictures of the import wait. */
const importer = "import";

async function pictureAt({ files }: Source, name: string): Promise<Uint8Array | undefined> {
  const path = files.path(name);
  return path === undefined || Bun.file(path).size > pictureBytesMax ? undefined : readFile(path);
}

/** The largest picture of each person, by their ids in the export. */
const avatarPaths = new WeakMap<Source, Map<number, string>>();

async function listAvatars(source: Source): Promise<Map<number, string>> {
  const cachedPaths = avatarPaths.get(source);
  if (cachedPaths) return cachedPaths;
  const records = await source.files.json("avatars/records.json");
  const paths = new Map<number, string>();
  for (const record of givenList(records)) {
    const [id, path] = [
      givenNumber(record["user_profile_id"]),
      `avatars/${givenText(record["path"])}`,
    ];
    if (!paths.has(id) || path.endsWith(".original")) paths.set(id, path);
  }
  avatarPaths.set(source, paths);
  return paths;
}

/** Imports somebody's avatar, which is encoded again; answers the name of its files. */
export async function takeAvatar(source: Source, id: number): Promise<string | undefined> {
  const path = (await listAvatars(source)).get(id);
  const picture = path && (await pictureAt(source, path));
  if (!picture) return undefined;
  const name = source.tokenOf(`avatar ${id}`).slice(0, avatarNameLength);
  try {
    for (const [variant, bytes] of Object.entries(await makeAvatarFiles(importer, picture))) {
      await source.writer.addFile(`${name}${variant}`, bytes);
    }
    return name;
  } catch {
    source.report.add("avatars", String(id), "are no pictures");
    return undefined;
  }
}

/** Imports the organization's own emoji, whose pictures are encoded again. */
export async function takeEmoji(source: Source): Promise<void> {
  const { writer, report, emoji, emojiIds } = source;
  const realmId = source.texts.realmId.from;
  for (const given of tableOf(source, "zerver_realmemoji")) {
    const [id, file] = [givenNumber(given["id"]), givenText(given["file_name"])];
    const [name, isActive] = [givenText(given["name"]), given["deactivated"] !== true];
    const picture = await pictureAt(source, `emoji/${realmId}/emoji/images/${file}`);
    const image = picture && (await makeEmojiImage(importer, picture).catch(() => undefined));
    if (!image || !/^[a-z0-9_.-]{1,100}$/.test(name) || (isActive && emoji.has(name))) {
      report.add(
        "zerver_realmemoji",
        name,
        image ? "have no name, or one that is taken" : "have no picture",
      );
      continue;
    }
    const token = source.tokenOf(`emoji ${id}`).slice(0, 40);
    const fileName = `${token}.${image.extension}`;
    await writer.addFile(token, image.bytes);
    if (image.still) await writer.addFile(`${token}-still`, image.still);
    emojiIds.add(id);
    if (isActive) emoji.set(name, { id, fileName });
    await writer.add("realm_emoji", {
      id,
      name,
      active_name: isActive ? name : null,
      file_name: fileName,
      is_animated: image.still !== undefined,
      author_id: personOf(source, given["author"]) ?? null,
    });
  }
}

/** Imports the organization's icon and logos, which are encoded again. */
export async function takeRealmPictures(source: Source): Promise<void> {
  const { writer, report } = source;
  const records = givenList(await source.files.json("realm_icons/records.json"));
  const paths = records.map(({ path }) => `realm_icons/${givenText(path)}`);
  const given = realmRow(source);
  for (const name of realmPictureKeys) {
    const path = [`/${name}.original`, `/${name}.png`]
      .map((ending) => paths.find((one) => one.endsWith(ending)))
      .find((one) => one !== undefined);
    // Files of an icon or logo stay in an archive after somebody has gone back to the default.
    const isUsed = (givenText(given[`${name}_source`]) || uploaded) === uploaded;
    if (path === undefined || !isUsed) continue;
    const picture = await pictureAt(source, path);
    const made = picture && (await prepareRealmPicture(importer, name, picture).catch(() => null));
    if (!made) {
      report.add("realm_icons", name, "are no pictures");
      continue;
    }
    // Addresses of icons and logos have names as long as those of avatars.
    const token = source.tokenOf(`realm ${name}`).slice(0, avatarNameLength);
    for (const [variant, bytes] of Object.entries(made.files))
      await writer.addFile(`${token}${variant}`, bytes);
    await writer.change(async ({ db, t: { realms } }) => {
      const isIt = eq(realms.id, writer.realmId);
      await db
        .update(realms)
        .set({ [pictureColumns[name]]: token })
        .where(isIt);
    });
  }
}
