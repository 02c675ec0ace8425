import { eq } from "drizzle-orm";
import { operatorContext } from "../../../src/core/operator";
import { write } from "../../../src/core/write";
import { beginMails } from "../../../src/mail/begin";
import { deactivateRealm, reactivateRealm } from "../../../src/management/organization/deactivate";
import { findRealmByHost } from "../../../src/realm/queries";
import { newOutsider } from "../api/calls/things";
import { otherHost } from "../cast";
import type { Person, World } from "../world";

/**
 * Begins the mails of a world, and closes its other organization, in which nothing need be looked
 * for each minute.
 */
export async function beginMailsOfOne({ app }: World): Promise<void> {
  await beginMails(app);
  const operator = await operatorOfOther(app);
  await deactivateRealm(operator, {});
  const { id } = operator.realm;
  await write(operator, ({ db, t }) => db.delete(t.jobs).where(eq(t.jobs.realmId, id)));
}

/**
 * Opens the other organization again, and begins its mails beside those of the first one. Answers a
 * new member of it.
 */
export async function beginMailsOfOther(world: World): Promise<Person> {
  await reactivateRealm(await operatorOfOther(world.app));
  await beginMails(world.app);
  return newOutsider(world);
}

async function operatorOfOther(app: World["app"]) {
  const other = await findRealmByHost(app.engine.reader, otherHost);
  if (!other) throw new Error("the other organization is gone");
  return operatorContext(app, other);
}
