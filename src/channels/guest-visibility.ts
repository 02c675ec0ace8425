import { and, eq, inArray } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { RealmRow, Tx, UserRow } from "../core/context";
import { sees, type Viewer } from "../core/rights/person-visibility";
import { roles } from "../core/rights/role";
import { endQueuesOf } from "../events/queues";
import { tellStatusesIn } from "../people/status/store";
import { tellAddress } from "../people/users/announce";
import { userAdded, userRemoved } from "../people/users/events";
import {
  findUsersByIds,
  listGuarded,
  listGuestIds,
  listSharers,
  listUsers,
  sharersAmong,
} from "../people/users/queries";
import { shownPerson, unknownName } from "../people/users/shown";
import { limitsGuests, mayLimitGuests, viewerFor } from "../people/users/viewer";
import { userWire } from "../people/users/wire";
import { loadRealm } from "../realm/queries";
import { isSubscribed } from "./subscribers";

/** Guests, and the people who may become visible or invisible to them by a change. */
interface Pairs {
  guests: readonly number[];
  people: readonly number[];
}

/** Watches a change's effects on what guests see: created before it, announced after it. */
interface VisibilityWatch {
  /** Announces people who became visible. Events: realm_user add and user_status, to each guest. */
  announceGained(): Promise<void>;
  /** Announces people who became invisible. Event: realm_user remove, to each guest. */
  announceLost(): Promise<void>;
}

/**
 * Number of people up to which guests get an event for each. If there are more, the guests' queues
 * end instead, and their clients register again.
 */
const eventsMax = 1_000;
/** Number of pairs of a guest and a person that are checked. */
const pairsMax = 100_000;

const unchanged: VisibilityWatch = {
  announceGained: async () => undefined,
  announceLost: async () => undefined,
};

/**
 * Watches how new or ended subscriptions to some channels change what guests see, in realms that
 * limit it.
 */
export async function watchSubscriptions(
  tx: Tx,
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<VisibilityWatch> {
  const realm = await loadRealm(tx, realmId);
  if (!(await limitsGuests(tx, realm))) return unchanged;
  const guests = new Set(await listGuestIds(tx, realmId));
  if (guests.size === 0) return unchanged;
  const present = await subscribersOf(tx, realmId, channelIds);
  const isGuest = (id: number) => guests.has(id);
  return watchPairs(tx, realm, [
    { guests: userIds.filter(isGuest), people: [...new Set([...present, ...userIds])] },
    { guests: present.filter(isGuest), people: userIds },
  ]);
}

/** Watches how a new direct conversation changes what its guests see, in realms that limit it. */
export async function watchConversation(
  tx: Tx,
  realm: RealmRow,
  participants: readonly UserRow[],
): Promise<VisibilityWatch> {
  const guests = participants.filter(({ role, isActive }) => role >= roles.guest && isActive);
  if (guests.length === 0 || !(await limitsGuests(tx, realm))) return unchanged;
  const idsOf = (users: readonly UserRow[]) => users.map(({ id }) => id);
  return watchPairs(tx, realm, [{ guests: idsOf(guests), people: idsOf(participants) }]);
}

/**
 * The guests among a channel's subscribers who do not see the sender of a message there; undefined
 * where there are none. Guests see people who are subscribed with them.
 */
export async function strangersIn(
  reader: Reader,
  realm: RealmRow,
  channelId: number,
  sender: UserRow,
): Promise<ReadonlySet<number> | undefined> {
  if (sender.botType !== null || !(await limitsGuests(reader, realm))) return undefined;
  if (await isSubscribed(reader, realm.id, sender.id, channelId)) return undefined;
  const present = new Set(await subscribersOf(reader, realm.id, [channelId]));
  const guests = (await listGuestIds(reader, realm.id)).filter(
    (id) => present.has(id) && id !== sender.id,
  );
  const strangers = new Set(guests).difference(
    await listSharers(reader, realm.id, sender.id, guests),
  );
  return strangers.size > 0 ? strangers : undefined;
}

/** The guests among some people who do not see all the others. */
export async function strangersAmong(
  reader: Reader,
  realm: RealmRow,
  people: readonly UserRow[],
): Promise<ReadonlySet<number>> {
  const ids = people.map(({ id }) => id);
  const strangers = new Set<number>();
  for (const user of mayLimitGuests(realm) ? people : []) {
    const viewer = await viewerFor(reader, realm, user, ids);
    if (!people.every((other) => sees(viewer, other))) strangers.add(user.id);
  }
  return strangers;
}

/** All subscribers of one of the channels, deactivated or not. */
async function subscribersOf(
  { db, t }: Reader,
  realmId: number,
  channelIds: readonly number[],
): Promise<number[]> {
  const { subscriptions: s } = t;
  const rows = await db
    .selectDistinct({ id: s.userId })
    .from(s)
    .where(
      and(eq(s.realmId, realmId), inArray(s.channelId, [...channelIds]), eq(s.isActive, true)),
    );
  return rows.map(({ id }) => id);
}

/** Guests by a person whom they see. */
type Seers = Map<number, Set<number>>;

async function watchPairs(tx: Tx, realm: RealmRow, pairs: Pairs[]): Promise<VisibilityWatch> {
  const guests = [...new Set(pairs.flatMap((group) => group.guests))];
  const count = pairs.reduce((sum, group) => sum + group.guests.length * group.people.length, 0);
  if (count > pairsMax) {
    const end = () => endQueuesOf(tx, realm.id, guests);
    return { announceGained: end, announceLost: end };
  }
  const before = await seersAmong(tx, realm.id, pairs);
  return {
    announceGained: async () =>
      showPeople(tx, realm, without(await seersAmong(tx, realm.id, pairs), before)),
    announceLost: async () =>
      hidePeople(tx, realm, without(before, await seersAmong(tx, realm.id, pairs))),
  };
}

/** Sharing a channel or a conversation is mutual, so it is looked up for the smaller side. */
async function seersAmong(tx: Tx, realmId: number, pairs: Pairs[]): Promise<Seers> {
  const seers: Seers = new Map();
  const note = (person: number, guest: number) => {
    if (person !== guest) seers.set(person, (seers.get(person) ?? new Set()).add(guest));
  };
  for (const { guests, people } of pairs) {
    if (guests.length === 0 || people.length === 0) continue;
    if (guests.length <= people.length) {
      for (const [guest, seen] of await sharersAmong(tx, realmId, guests, people)) {
        for (const person of seen) note(person, guest);
      }
    } else {
      for (const [person, seeing] of await sharersAmong(tx, realmId, people, guests)) {
        for (const guest of seeing) note(person, guest);
      }
    }
  }
  return seers;
}

function without(seers: Seers, others: Seers): Seers {
  const rest = [...seers].map(
    ([person, guests]) => [person, guests.difference(others.get(person) ?? new Set())] as const,
  );
  return new Map(rest.filter(([, guests]) => guests.size > 0));
}

/**
 * The people who became visible or invisible to guests; undefined where there are too many for
 * single events.
 */
async function listTold(tx: Tx, realm: RealmRow, seers: Seers): Promise<UserRow[]> {
  if (seers.size > eventsMax) {
    await endQueuesOf(tx, realm.id, [
      ...new Set([...seers.values()].flatMap((guests) => [...guests])),
    ]);
    return [];
  }
  const people = await findUsersByIds(tx, realm.id, [...seers.keys()]);
  return people.filter(({ botType }) => botType === null).sort((a, b) => a.id - b.id);
}

async function showPeople(tx: Tx, realm: RealmRow, seers: Seers) {
  const persons = await listTold(tx, realm, seers);
  for (const person of persons) {
    await show(tx, realm, person, [...(seers.get(person.id) ?? [])], roles.guest);
  }
  if (persons.length > 0) await tellStatusesIn(tx, realm.id, seers);
}

async function hidePeople(tx: Tx, realm: RealmRow, seers: Seers) {
  for (const { id } of await listTold(tx, realm, seers))
    await hide(tx, id, [...(seers.get(id) ?? [])]);
}

async function show(tx: Tx, realm: RealmRow, person: UserRow, ids: number[], role: number) {
  const viewer: Viewer = { userId: 0, role, seen: undefined };
  const view = { clientGravatar: false, includeProfileData: true, viewer, realmHost: realm.host };
  await tx.emit({ to: "users", ids }, userAdded({ person: userWire(person, view) }));
}

const hide = (tx: Tx, userId: number, ids: number[]) =>
  tx.emit(
    { to: "users", ids },
    userRemoved({ person: { user_id: userId, full_name: unknownName } }),
  );

/**
 * Announces to somebody whose role has changed the people who become visible or invisible to them,
 * and addresses that they may now read or no longer may. Events, to that user: realm_user add,
 * remove and update, and user_status of newly visible people.
 */
export async function announceVisiblePeople(tx: Tx, before: UserRow, after: UserRow) {
  const realm = await loadRealm(tx, after.realmId);
  const [was, is] = [await viewerFor(tx, realm, before), await viewerFor(tx, realm, after)];
  const isLimited = was.seen !== undefined || is.seen !== undefined;
  const people = isLimited ? await listUsers(tx, realm.id) : await listGuarded(tx, realm.id);
  const changes = people.flatMap((person) => {
    const [saw, seesNow] = [sees(was, person), sees(is, person)];
    if (saw !== seesNow)
      return [
        () =>
          seesNow
            ? show(tx, realm, person, [after.id], after.role)
            : hide(tx, person.id, [after.id]),
      ];
    const shown = shownPerson(person, { viewer: is, realmHost: realm.host });
    const isSame =
      shown.email === shownPerson(person, { viewer: was, realmHost: realm.host }).email;
    return isSame
      ? []
      : [() => tellAddress(tx, { to: "users", ids: [after.id] }, person.id, shown)];
  });
  if (changes.length > eventsMax) return endQueuesOf(tx, realm.id, [after.id]);
  for (const announce of changes) await announce();
  const gained = people.filter((person) => sees(is, person) && !sees(was, person));
  await tellStatusesIn(tx, realm.id, new Map(gained.map(({ id }) => [id, new Set([after.id])])));
}

/** Ends the queues of all guests, because the change of whom they see differs for each guest. */
export async function endQueuesOfGuests(tx: Tx, realmId: number) {
  await endQueuesOf(tx, realmId, await listGuestIds(tx, realmId));
}
