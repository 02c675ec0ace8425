import { and, desc, eq } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { World } from "../world";

async function newestIn({ db, t: { eventLog } }: Pick<Reader, "db" | "t">, realmId: number) {
  const [newest] = await db
    .select({ id: eventLog.id })
    .from(eventLog)
    .where(eq(eventLog.realmId, realmId))
    .orderBy(desc(eventLog.id))
    .limit(1);
  return newest?.id ?? 0;
}

/** The id of the newest entry of the realm's log. */
export const newestEntry = ({ app, realm }: Pick<World, "app" | "realm">): Promise<number> =>
  newestIn(app.engine.reader, realm.id);

/**
 * Removes the newest entry of the realm's log, as a failover to a standby does that was behind.
 * Answers its id.
 */
export const loseNewestEntry = ({ app, realm }: Pick<World, "app" | "realm">): Promise<number> =>
  app.engine.write(
    realm.id,
    async (tx) => {
      const { eventLog } = tx.t;
      const id = await newestIn(tx, realm.id);
      await tx.db.delete(eventLog).where(and(eq(eventLog.realmId, realm.id), eq(eventLog.id, id)));
      return id;
    },
    () => undefined,
  );
