import { readFile } from "node:fs/promises";
import { avatarNameLength, makeAvatarFiles } from "../../../people/avatars/files";
import { makeEmojiImage } from "../../../realm/realm-emoji/image";
import { givenList, givenNumber, givenText } from "../json";
import { personOf, type Source, tableOf } from "./source";

/** Size limit of a picture; a larger file is not imported. */
const pictureBytesMax = 10 * 1024 * 1024;
/** Lane in which jobs for pictures of the import wait. */
const importer = "import";

async function pictureAt({ files }: Source, name: string): Promise<Uint8Array | undefined> {
  const path = files.path(name);
  return path === undefined || Bun.file(path).size > pictureBytesMax ? undefined : readFile(path);
}

async function* once(bytes: Uint8Array) {
  yield bytes;
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
      await source.writer.addFile(`${name}${variant}`, once(bytes));
    }
    return name;
  } catch {
    source.report.add("avatars", String(id), "are no pictures");
    return undefined;
  }
}

/** Imports the organization's own emoji, whose pictures are encoded again. */
export async function takeEmoji(source: Source): Promise<void> {
  const { writer, report, emoji } = source;
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
    await writer.addFile(token, once(image.bytes));
    if (image.still) await writer.addFile(`${token}-still`, once(image.still));
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
