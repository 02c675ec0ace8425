import { eq } from "drizzle-orm";
import { emptyWords } from "../../../db/empty-words";
import type { App, Tx } from "../../core/context";
import { write } from "../../core/write";

/**
 * Empties the search index: servers make it anew in the background, and before the next search.
 * PostgreSQL has a lock for each organization, so each is emptied in a write of its own. SQLite has
 * one lock and one index for all: one write empties it, because a second one would take away what
 * servers have indexed since.
 */
export async function repairIndex(app: App): Promise<void> {
  const { engine, clock } = app;
  const realms = await engine.reader.db.select().from(engine.schema.realms);
  for (const realm of engine.dialect === "sqlite" ? realms.slice(0, 1) : realms) {
    await write({ app, realm, now: clock.now() }, (tx) => emptyIndex(tx, realm.id));
  }
}

async function emptyIndex(tx: Tx, realmId: number) {
  const { searchChanges, searchProgress } = tx.t;
  const isOfAll = tx.dialect === "sqlite";
  await tx.db.delete(searchChanges).where(isOfAll ? undefined : eq(searchChanges.realmId, realmId));
  await tx.db
    .delete(searchProgress)
    .where(isOfAll ? undefined : eq(searchProgress.realmId, realmId));
  await emptyWords(tx, realmId);
}
