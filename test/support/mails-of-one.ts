import { eq } from "drizzle-orm";
import { operatorContext } from "../../src/core/operator";
import { write } from "../../src/core/write";
import { beginMails } from "../../src/mail/begin";
import { deactivateRealm } from "../../src/management/organization/deactivate";
import { findRealmByHost } from "../../src/realm/queries";
import { otherHost } from "./cast";
import type { World } from "./world";

/**
 * Begins the mails of a world, and closes its other organization, in which nothing need be looked
 * for each minute.
 */
export async function beginMailsOfOne({ app }: World): Promise<void> {
  await beginMails(app);
  const other = await findRealmByHost(app.engine.reader, otherHost);
  if (!other) throw new Error("the other organization is gone");
  const operator = operatorContext(app, other);
  await deactivateRealm(operator, {});
  await write(operator, ({ db, t }) => db.delete(t.jobs).where(eq(t.jobs.realmId, other.id)));
}
