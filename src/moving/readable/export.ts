import { and, eq } from "drizzle-orm";
import type { Context } from "../../core/context";
import type { FileContent } from "../../files/store";
import { emojiPictureKey } from "../../management/realm-emoji/service";
import { localeOfRealm } from "../../realm/locale";
import { listRealmEmoji } from "../../realm/realm-emoji/queries";
import type { Progress } from "../backup/progress";
import { emojiInFolder, pathInFolder } from "./addresses";
import { NewFolder } from "./folder";
import type { ReadableFormName } from "./form";
import { jsonlForm } from "./jsonl";
import { pagesForm } from "./pages";
import { readableMessages, readDirectory } from "./read";

interface ReadableReport {
  messages: number;
  files: number;
  /** Number of missing files that messages link to. */
  filesMissing: number;
}

/**
 * Writes an organization to a new folder in a format for people (`html`) or programs (`jsonl`),
 * with all private messages, and their files in the folder. The folder cannot be imported. Calls
 * `begun` once the name is accepted, before anything is read.
 */
export async function exportReadable(
  ctx: Context,
  path: string,
  as: ReadableFormName,
  {
    progress,
    check,
    begun,
  }: { progress: Progress; check: () => void; begun?: () => Promise<void> },
): Promise<ReadableReport> {
  const folder = await NewFolder.open(path);
  try {
    await begun?.();
    const locale = localeOfRealm(ctx.realm);
    const form =
      as === "jsonl"
        ? jsonlForm(folder)
        : pagesForm({ folder, title: ctx.realm.name, site: ctx.url, locale });
    const directory = await readDirectory(ctx);
    await form.begin();
    let messages = 0;
    for await (const page of readableMessages(ctx, directory)) {
      check();
      await form.add(page);
      messages += page.length;
      progress("Messages", messages);
    }
    await form.end(directory);
    const report = { messages, ...(await addFiles(ctx, folder, check)) };
    await folder.keep();
    return report;
  } finally {
    await folder.discard();
  }
}

/** Adds the files of messages, and the pictures of the organization's emoji. */
async function addFiles({ app, reader, realm }: Context, folder: NewFolder, check: () => void) {
  const { attachments, attachmentMessages: link } = reader.t;
  const rows = await reader.db
    .selectDistinct({ path: attachments.pathId })
    .from(attachments)
    .innerJoin(
      link,
      and(eq(link.realmId, attachments.realmId), eq(link.attachmentId, attachments.id)),
    )
    .where(eq(attachments.realmId, realm.id));
  const emoji = await listRealmEmoji(reader, realm.id);
  const wanted = [
    ...rows.map(({ path }) => ({
      name: pathInFolder(path),
      key: path.split("/").slice(0, 2).join("/"),
    })),
    ...emoji.map(({ fileName }) => ({
      name: emojiInFolder(fileName),
      key: emojiPictureKey(realm.id, fileName.split(".")[0] ?? ""),
    })),
  ];
  const report = { files: 0, filesMissing: 0 };
  for (const { name, key } of wanted) {
    check();
    const content = name === undefined ? undefined : await app.files.find(key);
    if (name === undefined || !content) report.filesMissing += 1;
    else {
      await folder.add(name, chunksOf(content));
      report.files += 1;
    }
  }
  return report;
}

async function* chunksOf(content: FileContent): AsyncIterable<Uint8Array> {
  yield* content.stream();
}
