import { and, asc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { findTraits } from "../../db/schema/traits";
import { daySeconds } from "../core/clock";
import type { App } from "../core/context";
import { describeError } from "../core/log";
import { perServer } from "../core/per-server";
import { write } from "../core/write";
import { removalsSettled, tidyStray } from "../files/stray";
import { tidyResumable } from "./resumable";
import { releaseRowIn } from "./service";
import { type AttachmentRow, keyOf } from "./wire";

/**
 * Seconds between two runs. They may be many, because the next run finds whatever one has missed.
 */
const tidySeconds = 3_600;
const perPage = 200;

const lastTidied = perServer(() => ({ at: 0 }));

/**
 * Removes expired uploads, files that no row names, abandoned drafts, and files that no message
 * links to, some of each at a time.
 */
export async function tidyUploads(app: App): Promise<void> {
  await tidyResumable(app);
  await tidyStray(app);
  // A failure of the store must not stop the rest of the work.
  await app.files
    .tidy()
    .catch((error: unknown) => app.log.warn("drafts_not_tidied", describeError(error)));
  const now = app.clock.now();
  const last = lastTidied.of(app);
  if (now < last.at + tidySeconds) return;
  last.at = now;
  await tidyUnlinked(app);
}

/**
 * Removes files that no message has linked to for the number of days that the operator has set,
 * unless their owner still plans to send them. Event: attachment remove, to the owner of each.
 */
export async function tidyUnlinked(app: App): Promise<void> {
  const { unlinkedUploadDays: days } = app.config;
  if (days === undefined) return;
  const now = app.clock.now();
  const before = now - days * daySeconds;
  for (let after = 0; ; ) {
    const rows = await listUnlinked(app.engine.reader, before, after);
    for (const row of rows) {
      await write({ app, realm: { id: row.realmId }, now }, async (tx) => {
        const { attachments: a } = tx.t;
        const [still] = await listUnlinked(tx, before, row.id - 1, row);
        if (!still || (await isToBeSent(tx, row))) return;
        await tx.db.delete(a).where(and(eq(a.realmId, row.realmId), eq(a.id, row.id)));
        await releaseRowIn(tx, app, still);
      });
    }
    await removalsSettled();
    const last = rows.at(-1);
    if (!last || rows.length < perPage) return;
    after = last.id;
  }
}

function listUnlinked(
  { db, t }: Reader,
  before: number,
  after: number,
  only?: AttachmentRow,
): Promise<AttachmentRow[]> {
  const { attachments: a, attachmentMessages: links } = t;
  const isIt = only && and(eq(a.realmId, only.realmId), eq(a.id, only.id));
  return db
    .select({ file: a })
    .from(a)
    .leftJoin(links, and(eq(links.realmId, a.realmId), eq(links.attachmentId, a.id)))
    .where(
      and(
        isNull(links.messageId),
        gt(a.id, after),
        lt(sql`coalesce(${a.unlinkedAt}, ${a.createdAt})`, before),
        isIt,
      ),
    )
    .orderBy(asc(a.id))
    .limit(perPage)
    .then((rows) => rows.map(({ file }) => file));
}

/**
 * Whether an unsent text of the owner, such as a draft or the note of a reminder, contains a link
 * to the file. It searches for the file's key, because people and clients write the name of a file
 * in several ways.
 */
async function isToBeSent(
  { db, t }: Reader,
  { realmId, ownerId, pathId }: AttachmentRow,
): Promise<boolean> {
  const key = keyOf(pathId);
  for (const table of Object.values(t)) {
    if (!("userId" in table && "content" in table)) continue;
    const { of, holds = {} } = findTraits(table) ?? {};
    if (of !== "person") continue;
    const isTheirs = and(eq(table.realmId, realmId), eq(table.userId, ownerId));
    for (const row of await db.select().from(table).where(isTheirs)) {
      for (const [column, text] of Object.entries(row))
        if (holds[column]?.is === "markdown" && String(text).includes(key)) return true;
    }
  }
  return false;
}
