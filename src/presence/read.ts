import type { Reader } from "../../db/reader";
import type { Context, Person } from "../core/context";
import { sees } from "../core/sight";
import { onlookerOf } from "../users/onlooker";
import { shownEmail } from "../users/shown";
import { listPresences } from "./queries";
import { legacyForm, modernForm } from "./wire";

/** What a client wants of the people's presence. */
export interface PresenceView {
  /** The update id that it has; undefined, or below 1, for everything. */
  after?: number | undefined;
  /** Who was not there for so long is left out. Does not count for a client that has an update id. */
  historyLimitDays?: number | undefined;
  /** By user id in today's form; else by e-mail address in the older one. */
  isModern: boolean;
}

/** The people by what they are named by, in the form that was asked for. */
export type Presences = Record<string, ReturnType<typeof modernForm> | ReturnType<typeof legacyForm>>;

const historyDays = 14;
const historyDaysMax = 36_500;
const secondsPerDay = 86_400;

/**
 * When the people whom the actor sees were last there, as far as the client has not heard of it, and the newest update id of
 * that: the client's own, or −1, where there is nothing. Where guests see not everybody and
 * CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE is off, they are shown the others too, but not their addresses.
 */
export async function readPresences(
  ctx: Context<Person>,
  reader: Reader,
  { after = -1, historyLimitDays = historyDays, isModern }: PresenceView,
): Promise<{ presences: Presences; lastUpdateId: number }> {
  const { app, realm, now } = ctx;
  const since = after > 0 ? 0 : now - Math.min(historyLimitDays, historyDaysMax) * secondsPerDay;
  const rows = await listPresences(reader, realm.id, { after: Math.max(after, 0), since });
  const ids = rows.map(({ person }) => person.id);
  const onlooker = await onlookerOf(reader, ctx, ids);
  const isLimited = app.config.canAccessAllUsersGroupLimitsPresence;
  const shown = rows.filter(({ person }) => !isLimited || sees(onlooker, person));
  const nameOf = (person: (typeof rows)[number]["person"]) =>
    isModern ? String(person.id) : shownEmail(person, { onlooker, realmHost: realm.host });
  const entries = shown.map(({ presence, person }) => [
    nameOf(person),
    isModern ? modernForm(presence, person.createdAt) : legacyForm(presence),
  ]);
  const lastUpdateId = shown.reduce((newest, { presence }) => Math.max(newest, presence.updateId), after);
  return { presences: Object.fromEntries(entries), lastUpdateId };
}
