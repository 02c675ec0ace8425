import { and, eq, gt, gte, isNull, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { isIn } from "../../../db/sql/json";
import type { Context, UserRow } from "../../core/context";
import { parseStoredSettings } from "../../core/rights/group-setting";
import { cached } from "../../memory/cached";
import { cachedUntilChange } from "../../memory/until-change";
import { isActivePerson, listUsers } from "../users/queries";
import { isAhead } from "./wire";

export type PresenceRow = Reader["t"]["userPresences"]["$inferSelect"];

/** Columns of a person that their presence needs. */
type PresentPerson = Pick<
  UserRow,
  "id" | "email" | "fullName" | "botType" | "settings" | "createdAt"
>;

const settingName = "presence_enabled";

/**
 * Whether somebody shares their presence: invisible people do not. Settings are stored only where
 * they differ from the default.
 */
export const isShared = ({ settings }: Pick<UserRow, "settings">): boolean =>
  !settings.includes(settingName) || parseStoredSettings(settings)[settingName] !== false;

/** The active people who are invisible. */
export const listInvisible = cached(
  ["users"],
  async (reader, realmId): Promise<readonly number[]> => {
    const people = (await listUsers(reader, realmId)).filter(isActivePerson);
    return people.filter((person) => !isShared(person)).map(({ id }) => id);
  },
);

const selectAfter = statement(
  (
    db,
    { userPresences: p, users: u },
    given: Given<{ realmId: number; after: number; since: number }>,
  ) =>
    db
      .select({
        presence: p,
        person: {
          id: u.id,
          email: u.email,
          fullName: u.fullName,
          botType: u.botType,
          settings: u.settings,
          createdAt: u.createdAt,
        },
      })
      .from(p)
      .innerJoin(u, and(eq(u.realmId, p.realmId), eq(u.id, p.userId)))
      .where(
        and(
          eq(p.realmId, given.realmId),
          gt(p.updateId, given.after),
          gte(p.connectedAt, given.since),
          eq(u.isActive, true),
          isNull(u.botType),
        ),
      ),
);

/** A person, and when they were last present. */
export type Present = { presence: PresenceRow; person: PresentPerson };

/**
 * Number of lists that are cached. Few are enough, because most clients ask for one of the newest.
 */
const listsMax = 16;
/**
 * The cached list begins at a multiple of this number of seconds, so that one list serves all
 * requests meanwhile.
 */
const sinceStep = 3_600;
const sharedAfter = cachedUntilChange<readonly Present[]>(["user_presences", "users"], listsMax);

/**
 * The active people who were present since a time, and who have an update after an update id.
 * People who share nothing are left out, and those who were seen while the clock was ahead.
 */
export async function listPresences(
  reader: Reader,
  realmId: number,
  { after, since, now }: { after: number; since: number; now: number },
): Promise<readonly Present[]> {
  const start = since - (since % sinceStep);
  const rows = await sharedAfter(reader, `${realmId} ${after} ${start}`, async () =>
    (await selectAfter(reader, { realmId, after, since: start })).filter(
      // A row that stays ahead for as long as the list is cached would make each answer anew.
      ({ person, presence }) => isShared(person) && !isAhead(presence, now + sinceStep),
    ),
  );
  const isShown = ({ presence }: Present) =>
    presence.connectedAt >= since && !isAhead(presence, now);
  // The unfiltered list is answered where possible, because texts made of it are cached with it.
  return rows.every(isShown) ? rows : rows.filter(isShown);
}

const selectOf = statement(
  (db, { userPresences: p }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select()
      .from(p)
      .where(and(eq(p.realmId, given.realmId), isIn(dialect, p.userId, given.ids))),
);

/** Stored presence of some people. */
export const findPresences = (reader: Reader, realmId: number, userIds: readonly number[]) =>
  selectOf(reader, { realmId, ids: JSON.stringify(userIds) });

/**
 * Presence of some people, without those who were seen while the clock was ahead. Their rows stay,
 * because the clock may also be behind now.
 */
export const findCurrentPresences = async (
  { reader, realm, now }: Pick<Context, "reader" | "realm" | "now">,
  userIds: readonly number[],
) => (await findPresences(reader, realm.id, userIds)).filter((row) => !isAhead(row, now));

const selectNewest = statement((db, { userPresences: p }, given: Given<{ realmId: number }>) =>
  db
    .select({ updateId: sql<number>`max(${p.updateId})`.mapWith(Number) })
    .from(p)
    .where(eq(p.realmId, given.realmId)),
);

/**
 * The realm's newest update id, 0 where there is no presence yet. In a write no other update can
 * come in between.
 */
export async function newestUpdateId(reader: Reader, realmId: number): Promise<number> {
  const [row] = await selectNewest(reader, { realmId });
  return row?.updateId ?? 0;
}

const selectCount = statement((db, { users }, given: Given<{ realmId: number }>) =>
  db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(users)
    .where(and(eq(users.realmId, given.realmId), eq(users.isActive, true), isNull(users.botType))),
);

/** Number of active people in a realm. */
export const countPeople = cached(["users"], async (reader, realmId) => {
  const [row] = await selectCount(reader, { realmId });
  return row?.count ?? 0;
});
