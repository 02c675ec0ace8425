import { eq } from "drizzle-orm";
import { searchIndexOf } from "../../../db/sql/search/search-index";
import type { App, Tx } from "../../core/context";
import { write } from "../../core/write";

/**
 * Empties the search index. Servers build it again in the background, and before the next search.
 * Where each organization has an index, each is emptied in a write of its own. One index for all
 * organizations is emptied by a single write, because a second write would delete entries that
 * servers have added since the first.
 */
export async function repairIndex(app: App): Promise<void> {
  const { engine, clock } = app;
  const { isOfAllRealms } = searchIndexOf(engine.dialect);
  const realms = await engine.reader.db.select().from(engine.schema.realms);
  for (const realm of isOfAllRealms ? realms.slice(0, 1) : realms) {
    await write({ app, realm, now: clock.now() }, (tx) => emptyIndex(tx, realm.id));
  }
}

async function emptyIndex(tx: Tx, realmId: number) {
  const { searchChanges, searchProgress } = tx.t;
  const index = searchIndexOf(tx.dialect);
  const isOf = (table: typeof searchChanges | typeof searchProgress) =>
    index.isOfAllRealms ? undefined : eq(table.realmId, realmId);
  await tx.db.delete(searchChanges).where(isOf(searchChanges));
  await tx.db.delete(searchProgress).where(isOf(searchProgress));
  await index.empty(tx, realmId);
}
