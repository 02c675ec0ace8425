import { gt } from "drizzle-orm";
import type { App } from "../../core/context";
import type { BackgroundTask } from "../../core/manifest";
import { write } from "../../core/write";
import { findPresences } from "./queries";
import { aheadFrom, hasGoneBack, isAhead, setRight, storeRows } from "./record";

/** Number of people whose presence one write corrects. */
const peoplePerWriteMax = 500;

/**
 * Corrects the presence of people who were there while the clock was ahead, and have not reported
 * since: they count as there now. Otherwise they would seem active until the wrong time comes, and
 * get no mail and no notification until then. Reads the rows when the server starts, and when the
 * clock is behind a report.
 */
export const presenceAheadTask: BackgroundTask = {
  name: "presence",
  at: ["start", "minute"],
  make(app, isEnding) {
    let isDone = false;
    return async () => {
      if (!hasGoneBack(app) && isDone) return;
      isDone = false;
      while (!isEnding() && (await correctSome(app)));
      isDone = true;
    };
  },
};

/** Answers whether there was somebody. */
async function correctSome(app: App): Promise<boolean> {
  const now = app.clock.now();
  const { db, t } = app.engine.reader;
  const { realmId, userId, connectedAt } = t.userPresences;
  const rows = await db
    .select({ realmId, userId })
    .from(t.userPresences)
    .where(gt(connectedAt, aheadFrom(now)))
    .limit(peoplePerWriteMax);
  for (const [id, ofRealm] of Map.groupBy(rows, (row) => row.realmId)) {
    const ids = ofRealm.map((row) => row.userId);
    await write({ app, realm: { id }, now }, async (tx) => {
      const stored = (await findPresences(tx, id, ids)).filter((row) => isAhead(row, now));
      const right = stored.map((row) => ({ userId: row.userId, ...setRight(row, now) }));
      await storeRows(tx, id, right);
    });
  }
  return rows.length > 0;
}
