import type { Audience } from "../../core/audience";
import type { LoggedEvent, RealmRow, Tx, UserRow } from "../../core/context";
import { addressReaders, allSeeing, type Viewer } from "../../core/rights/person-visibility";
import { roles } from "../../core/rights/role";
import { loadRealm } from "../../realm/queries";
import { avatarSources, avatarUrl, mediumAvatarUrl } from "./avatar";
import {
  botOwnerChanged,
  userAdded,
  userAvatarChanged,
  userDeliveryEmailChanged,
  userEmailChanged,
  userNameChanged,
  userTimezoneChanged,
} from "./events";
import { listGuestIds, listSharers } from "./queries";
import { type ShownPerson, shownPerson } from "./shown";
import { limitsGuests } from "./viewer";
import { userWire } from "./wire";

/** Audience of events about somebody: everybody but guests who do not see them. */
export async function watchersOf(tx: Tx, user: UserRow, realm?: RealmRow): Promise<Audience> {
  const at = realm ?? (await loadRealm(tx, user.realmId));
  if (user.botType !== null || !(await limitsGuests(tx, at))) return { to: "realm" };
  const guests = await listGuestIds(tx, at.id);
  const seeing = await listSharers(tx, at.id, user.id, [user.id, ...guests]);
  return { to: "realm", except: guests.filter((id) => !seeing.has(id)) };
}

const everyRole = { from: 0, to: roles.guest };

/** A viewer that stands for everybody who may not read the address. */
const withoutAddress: Viewer = { userId: 0, role: roles.guest, seen: undefined };

/**
 * An audience in two parts: people who may read somebody's address, and those who get the
 * placeholder. Most addresses are open to everybody. `viewer` represents the people of a part.
 */
export function partsByAddress(
  audience: Audience,
  user: UserRow,
): { audience: Audience; viewer: Viewer }[] {
  const last = addressReaders(user);
  const { from, to } = audience.roles ?? everyRole;
  if (last >= to) return [{ audience, viewer: allSeeing }];
  const except = [...(audience.except ?? []), user.id];
  return [
    { audience: { ...audience, roles: { from, to: last, or: user.id } }, viewer: allSeeing },
    { audience: { ...audience, except, roles: { from: last + 1, to } }, viewer: withoutAddress },
  ];
}

/**
 * Emits an event with somebody's address to people who may read it, and with the placeholder to all
 * others.
 */
export async function emitShowing(
  tx: Tx,
  audience: Audience,
  user: UserRow,
  make: (viewer: Viewer) => LoggedEvent,
): Promise<void> {
  for (const part of partsByAddress(audience, user))
    await tx.emit(part.audience, make(part.viewer));
}

/**
 * Announces a person or a bot that has joined. Event: realm_user add, to people who see them: not
 * to guests with a limited view.
 */
export async function announceAccount(tx: Tx, user: UserRow) {
  const realm = await loadRealm(tx, user.realmId);
  const shown = { clientGravatar: false, includeProfileData: true, realmHost: realm.host };
  const isHidden = user.botType === null && (await limitsGuests(tx, realm));
  const watchers: Audience = isHidden
    ? { to: "realm", roles: { from: 0, to: roles.member } }
    : { to: "realm" };
  await emitShowing(tx, watchers, user, (viewer) =>
    userAdded({ person: userWire(user, { ...shown, viewer }) }),
  );
}

/** Announces the owner of a bot. Event: realm_user update with `bot_owner_id`, to the realm. */
export async function announceBotOwner(tx: Tx, bot: UserRow) {
  if (bot.botOwnerId === null) return;
  await tx.emit(
    await watchersOf(tx, bot),
    botOwnerChanged({ person: { user_id: bot.id, bot_owner_id: bot.botOwnerId } }),
  );
}

/**
 * Announces the changes of an account: name, time zone, address and who may read that. Events:
 * realm_user update for each, to people who see the user.
 */
export async function announceAccountChange(tx: Tx, before: UserRow, after: UserRow) {
  if (looksTheSame(before, after)) return;
  const realm = await loadRealm(tx, after.realmId);
  const watchers = await watchersOf(tx, after, realm);
  const { id: user_id, fullName: full_name, timezone } = after;
  if (full_name !== before.fullName)
    await tx.emit(watchers, userNameChanged({ person: { user_id, full_name } }));
  if (timezone !== before.timezone) {
    await emitShowing(tx, watchers, after, (viewer) => {
      const { email } = shownPerson(after, { viewer, realmHost: realm.host });
      return userTimezoneChanged({ person: { user_id, email, timezone } });
    });
  }
  await announceAddress(tx, watchers, realm, before, after);
}

const looksTheSame = (before: UserRow, after: UserRow) =>
  before.fullName === after.fullName &&
  before.timezone === after.timezone &&
  before.email === after.email &&
  addressReaders(before) === addressReaders(after);

/**
 * Announces somebody's address to people who may read it now, if it is new to them, and the
 * placeholder to people who no longer may.
 */
async function announceAddress(
  tx: Tx,
  watchers: Audience,
  realm: RealmRow,
  before: UserRow,
  after: UserRow,
) {
  const [last, first] = [addressReaders(after), addressReaders(before)];
  const isOther = before.email !== after.email;
  const shownTo = (viewer: Viewer) => shownPerson(after, { viewer, realmHost: realm.host });
  const except = [...(watchers.except ?? []), after.id];
  if (isOther) {
    await tellAddress(
      tx,
      { ...watchers, roles: { from: 0, to: last, or: after.id } },
      after.id,
      shownTo(allSeeing),
    );
  } else if (first < last) {
    const gaining: Audience = { ...watchers, except, roles: { from: first + 1, to: last } };
    await tellAddress(tx, gaining, after.id, shownTo(allSeeing));
  }
  if (last >= first) return;
  await tellAddress(
    tx,
    { ...watchers, except, roles: { from: last + 1, to: first } },
    after.id,
    shownTo(withoutAddress),
  );
}

/**
 * Announces somebody's address as the audience sees it, with the picture if that depends on the
 * address.
 */
export async function tellAddress(tx: Tx, audience: Audience, user_id: number, shown: ShownPerson) {
  const { email, mayReadAddress } = shown;
  const delivery_email = mayReadAddress ? email : null;
  await tx.emit(audience, userDeliveryEmailChanged({ person: { user_id, delivery_email } }));
  await tx.emit(audience, userEmailChanged({ person: { user_id, new_email: email } }));
  if (shown.picture.avatarSource === avatarSources.gravatar)
    await tx.emit(audience, avatarEvent(user_id, shown));
}

const avatarEvent = (user_id: number, shown: ShownPerson) =>
  userAvatarChanged({
    person: {
      user_id,
      avatar_url: avatarUrl(shown, false),
      avatar_url_medium: mediumAvatarUrl(shown),
      avatar_source: shown.picture.avatarSource,
      avatar_version: shown.picture.avatarVersion,
    },
  });

/** Announces somebody's new avatar. Event: realm_user update, to people who see the user. */
export async function announceAvatar(tx: Tx, user: UserRow, realm: RealmRow) {
  const watchers = await watchersOf(tx, user, realm);
  const show = (viewer: Viewer) =>
    avatarEvent(user.id, shownPerson(user, { viewer, realmHost: realm.host }));
  if (user.avatarSource === avatarSources.gravatar) return emitShowing(tx, watchers, user, show);
  await tx.emit(watchers, show(allSeeing));
}
