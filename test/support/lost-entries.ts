import { and, desc, eq } from "drizzle-orm";
import type { World } from "./world";

/**
 * Removes the newest entry of the realm's log, as a failover to a standby does that was behind.
 * Answers its id.
 */
export const loseNewestEntry = ({ app, realm }: Pick<World, "app" | "realm">): Promise<number> =>
  app.engine.write(
    realm.id,
    async ({ db, t: { eventLog } }) => {
      const [newest] = await db
        .select({ id: eventLog.id })
        .from(eventLog)
        .where(eq(eventLog.realmId, realm.id))
        .orderBy(desc(eventLog.id))
        .limit(1);
      const id = newest?.id ?? 0;
      await db.delete(eventLog).where(and(eq(eventLog.realmId, realm.id), eq(eventLog.id, id)));
      return id;
    },
    () => undefined,
  );
