import { eq } from "drizzle-orm";
import { searchIndexOf } from "../../../db/sql/search/search-index";
import type { App, Tx } from "../../core/context";
import { write } from "../../core/write";

/**
 * Empties the search index: servers build it again in the background, and before the next search.
 * An organization's own index is emptied in a write of its own. An index for all organizations is
 * emptied by one write, because a second write would delete entries that servers have added since.
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
