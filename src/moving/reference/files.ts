import { stat } from "node:fs/promises";
import { asc } from "drizzle-orm";
import { linkedPaths } from "../../uploads/links";
import type { SkipReport } from "../import/report";
import type { ArchiveFile, ArchiveRow } from "./archive-file";
import type { Snapshot } from "./snapshot";

interface Surroundings {
  archive: ArchiveFile;
  left: SkipReport;
  check: () => void;
}

/** Adds `attachment.json` and the files that messages link to; answers their number. */
export async function addUploads(
  snapshot: Snapshot,
  scheduled: readonly ArchiveRow[],
  { archive, left, check }: Surroundings,
): Promise<number> {
  const { reader, realm } = snapshot;
  const { attachments: a, attachmentMessages } = reader.t;
  const links = Map.groupBy(
    await reader.db.select().from(attachmentMessages),
    ({ attachmentId }) => attachmentId,
  );
  const later = scheduled.flatMap(({ id, rendered_content: html }) =>
    linkedPaths(String(html)).map((path) => ({ id, path })),
  );
  const laterByPath = Map.groupBy(later, ({ path }) => path);
  const rows: ArchiveRow[] = [];
  const records: ArchiveRow[] = [];
  for (const one of await reader.db.select().from(a).orderBy(asc(a.id))) {
    check();
    const messages = (links.get(one.id) ?? []).map(({ messageId }) => messageId);
    const scheduledIds = (laterByPath.get(one.pathId) ?? []).map(({ id }) => id);
    const path = snapshot.file(one.pathId.split("/")[1] ?? "");
    if (messages.length + scheduledIds.length === 0)
      left.add("files", one.pathId, "no message links to them");
    else if (path === undefined) left.add("files", one.pathId, "they are missing");
    else {
      await archive.add(`uploads/${one.pathId}`, path);
      rows.push(attachmentRow(one, messages, scheduledIds));
      records.push({
        realm_id: realm.id,
        user_profile_id: one.ownerId,
        path: one.pathId,
        s3_path: one.pathId,
        size: one.sizeBytes,
        last_modified: one.createdAt,
        content_type: one.contentType,
      });
    }
  }
  await archive.addTables("attachment.json", { zerver_attachment: rows });
  await archive.addRecords("uploads/records.json", records);
  return rows.length;
}

type AttachmentRow = Snapshot["reader"]["t"]["attachments"]["$inferSelect"];

const attachmentRow = (
  one: AttachmentRow,
  messages: number[],
  scheduled: unknown[],
): ArchiveRow => ({
  id: one.id,
  realm: one.realmId,
  owner: one.ownerId,
  file_name: one.name,
  path_id: one.pathId,
  create_time: one.createdAt,
  size: one.sizeBytes,
  content_type: one.contentType,
  is_realm_public: null,
  is_web_public: null,
  messages: messages.toSorted((x, y) => x - y),
  scheduled_messages: [...new Set(scheduled)],
});

/** Adds the pictures of people, of emoji and of the organization, with the records of each kind. */
export async function addPictures(snapshot: Snapshot, surroundings: Surroundings): Promise<void> {
  await addAvatars(snapshot, surroundings);
  await addEmoji(snapshot, surroundings);
  await addIcons(snapshot, surroundings);
}

async function addAvatars(
  { reader, realm, file }: Snapshot,
  { archive, left, check }: Surroundings,
) {
  const records: ArchiveRow[] = [];
  for (const user of await reader.db.select().from(reader.t.users)) {
    check();
    const { id, avatarFile, avatarVersion } = user;
    const [original, usual] = [file(`${avatarFile}-avatar-original`), file(`${avatarFile}-avatar`)];
    if (avatarFile === null) continue;
    if (original === undefined || usual === undefined) {
      left.add("avatars", id, "their picture is missing");
      continue;
    }
    for (const [ending, source] of [
      ["original", original],
      ["png", usual],
    ] as const) {
      const path = `${realm.id}/${avatarFile}.${ending}`;
      await archive.add(`avatars/${path}`, source);
      records.push({
        realm_id: realm.id,
        user_profile_id: id,
        avatar_version: avatarVersion,
        path,
        s3_path: path,
        size: (await stat(source)).size,
        content_type: "image/png",
      });
    }
  }
  await archive.addRecords("avatars/records.json", records);
}

async function addEmoji({ reader, realm, file }: Snapshot, { archive, left }: Surroundings) {
  const records: ArchiveRow[] = [];
  for (const one of await reader.db.select().from(reader.t.realmEmoji)) {
    const source = file(one.fileName.split(".")[0] ?? "");
    if (source === undefined) {
      left.add("emoji", one.name, "their picture is missing");
      continue;
    }
    for (const ending of ["", ".original"]) {
      const path = `${realm.id}/emoji/images/${one.fileName}${ending}`;
      await archive.add(`emoji/${path}`, source);
      records.push({
        realm_id: realm.id,
        author: one.authorId,
        path,
        s3_path: path,
        file_name: one.fileName,
        name: one.name,
        deactivated: one.activeName === null,
      });
    }
  }
  await archive.addRecords("emoji/records.json", records);
}

async function addIcons({ realm, file }: Snapshot, { archive }: Surroundings) {
  const records: ArchiveRow[] = [];
  for (const [name, picture] of [
    ["icon", realm.iconFile],
    ["logo", realm.logoFile],
    ["night_logo", realm.nightLogoFile],
  ] as const) {
    const source = file(`${picture}-realm`);
    if (picture === null || source === undefined) continue;
    for (const ending of ["png", "original"]) {
      const path = `${realm.id}/${name}.${ending}`;
      await archive.add(`realm_icons/${path}`, source);
      records.push({ realm_id: realm.id, path, s3_path: path });
    }
  }
  await archive.addRecords("realm_icons/records.json", records);
}
