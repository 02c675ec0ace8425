import { and, eq, ne } from "drizzle-orm";
import type { App, RealmRow, Tx, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { write } from "../../core/write";
import { endRealmQueues } from "../../events/queues";
import { listRealms } from "../../realm/queries";
import { announceAvatar } from "../users/announce";
import { avatarSources } from "../users/avatar";
import { defaultAvatarSource } from "../users/avatar-source";

/**
 * Number of people up to which each gets an event. If there are more, the realm's queues end
 * instead, and its clients register again.
 */
const eventsMax = 1_000;

/**
 * Part of the write that changes the source of default avatars: updates the avatars of people who
 * have uploaded none. Events: realm_user update with the avatar of each, to people who see them.
 * Refuses Gravatar where the server does not use it.
 */
export async function applyDefaultSourceIn(
  tx: Tx,
  app: App,
  realm: RealmRow,
  wanted: unknown,
): Promise<void> {
  const source = defaultAvatarSource(app.config, realm);
  if (wanted !== source)
    throw badRequest("This server does not use Gravatar: its pictures are generated.");
  const { users } = tx.t;
  const changed = await tx.db
    .update(users)
    .set({ avatarSource: source })
    .where(
      and(
        eq(users.realmId, realm.id),
        ne(users.avatarSource, source),
        ne(users.avatarSource, avatarSources.uploaded),
        eq(users.isSystemBot, false),
      ),
    )
    .returning();
  await announceAll(tx, realm, changed);
}

async function announceAll(tx: Tx, realm: RealmRow, changed: readonly UserRow[]) {
  if (changed.length > eventsMax) return endRealmQueues(tx, realm.id);
  for (const user of changed) await announceAvatar(tx, user, realm);
}

/**
 * On a server that does not use Gravatar (any more), gives a generated avatar to everybody whose
 * avatar came from there. Events as above.
 */
export async function leaveGravatar(app: App): Promise<void> {
  const { engine, clock } = app;
  if (app.config.gravatarEnabled) return;
  for (const realm of await listRealms(engine.reader)) {
    const { db, t } = engine.reader;
    const isThere = and(
      eq(t.users.realmId, realm.id),
      eq(t.users.avatarSource, avatarSources.gravatar),
    );
    if ((await db.select({ id: t.users.id }).from(t.users).where(isThere).limit(1)).length === 0)
      continue;
    await write({ app, realm, now: clock.now() }, async (tx) => {
      const { users } = tx.t;
      const changed = await tx.db
        .update(users)
        .set({ avatarSource: avatarSources.generated })
        .where(and(eq(users.realmId, realm.id), eq(users.avatarSource, avatarSources.gravatar)))
        .returning();
      const people = changed.filter(({ isSystemBot }) => !isSystemBot);
      await announceAll(tx, realm, people);
    });
  }
}
