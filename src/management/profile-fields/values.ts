import { and, eq, ne, sql } from "drizzle-orm";
import { isRowOf, withoutMember } from "../../../db/sql/json";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, ids, json, record } from "../../core/params";
import { holdsRole } from "../../core/rights/role";
import { write } from "../../core/write";
import { endRealmQueues } from "../../events/queues";
import { watchersOf } from "../../people/users/announce";
import { changeUserRow } from "../../people/users/change-row";
import { type ProfileValue, parseProfileData } from "../../people/users/profile-data";
import { loadUser } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { profileValueChanged } from "./events";
import { choiceKeys } from "./field-data";
import { listProfileFields, type ProfileField } from "./queries";
import { checkedValue } from "./value";

/**
 * Number of people up to which each gets an event when a choice is removed. If there are more, the
 * realm's queues end instead, and its clients register again.
 */
const eventsMax = 1_000;

export const UpdateOwnProfile = record({ data: json() });

/**
 * Sets values of the actor's profile fields: all given ones, or none. See
 * `changeProfileValuesIn`.
 */
export async function updateOwnProfile(
  ctx: Context<Person>,
  { data }: Input<typeof UpdateOwnProfile>,
): Promise<undefined> {
  await write(ctx, async (tx) =>
    changeProfileValuesIn(tx, await renewContext(tx, ctx), ctx.actor.user.id, data),
  );
}

export const RemoveOwnProfile = record({ data: ids() });

/** Removes values of some of the actor's profile fields. See `changeProfileValuesIn`. */
export async function removeOwnProfile(
  ctx: Context<Person>,
  { data }: Input<typeof RemoveOwnProfile>,
): Promise<undefined> {
  const values = data.map((fieldId) => ({ id: fieldId, value: null }));
  await write(ctx, async (tx) =>
    changeProfileValuesIn(tx, await renewContext(tx, ctx), ctx.actor.user.id, values),
  );
}

/**
 * Changes somebody's profile values, as part of a write; `given` is a list of `{"id", "value"}`.
 * Announces realm_user update for each changed field, to people who see the person. Refuses missing
 * fields, invalid values, and fields that only administrators fill in (BAD_REQUEST).
 */
export async function changeProfileValuesIn(
  tx: Tx,
  ctx: Context,
  userId: number,
  given: unknown,
): Promise<void> {
  const user = await loadUser(tx, ctx.realm.id, userId);
  if (user.botType !== null) throw badRequest("Bots have no profile.");
  const fields = new Map(
    (await listProfileFields(tx, ctx.realm.id)).map((field) => [field.id, field]),
  );
  const data = parseProfileData(user);
  const changed = new Map<number, ProfileValue | undefined>();
  // If a field is given more than once, the last value counts.
  for (const [fieldId, value] of new Map(readValues(given))) {
    const field = fields.get(fieldId);
    if (!field) throw badRequest(`There is no profile field with ID ${fieldId}.`);
    if (!field.isEditableByUser && !holdsRole(ctx.actor, "administrator")) {
      throw badRequest(`In this organization, ${field.name} is filled in by administrators.`);
    }
    const checked = await checkedValue(tx, ctx, field, value);
    if (checked?.value !== data[fieldId]?.value) changed.set(fieldId, checked);
  }
  await storeTold(tx, user, changed);
}

function readValues(given: unknown): [number, unknown][] {
  const refusal = () => badRequest('Profile values are a list: [{"id": 1, "value": "…"}].');
  if (!Array.isArray(given)) throw refusal();
  return given.map((one: unknown) => {
    if (typeof one !== "object" || one === null || !("id" in one) || !("value" in one))
      throw refusal();
    if (typeof one.id !== "number") throw refusal();
    return [one.id, one.value];
  });
}

async function storeTold(
  tx: Tx,
  user: UserRow,
  changed: ReadonlyMap<number, ProfileValue | undefined>,
) {
  if (changed.size === 0) return;
  const data = parseProfileData(user);
  for (const [fieldId, value] of changed) {
    if (value) data[fieldId] = value;
    else delete data[fieldId];
  }
  await changeUserRow(tx, user, { profileData: JSON.stringify(data) });
  await announceValues(tx, user, changed);
}

async function announceValues(
  tx: Tx,
  user: UserRow,
  changed: ReadonlyMap<number, ProfileValue | undefined>,
) {
  const watchers = await watchersOf(tx, user);
  for (const [fieldId, value = { value: null }] of changed) {
    const person = { user_id: user.id, custom_profile_field: { id: fieldId, ...value } };
    await tx.emit(watchers, profileValueChanged({ person }));
  }
}

/**
 * Removes people's choices that a dropdown no longer has after a change. Announces that like
 * `changeProfileValuesIn`, for up to `eventsMax` people.
 */
export async function dropLostChoicesIn(
  tx: Tx,
  realmId: number,
  before: ProfileField,
  { id: fieldId, fieldData }: ProfileField,
) {
  const choices = choiceKeys(fieldData);
  if (choiceKeys(before.fieldData).every((key) => choices.includes(key))) return;
  const { users } = tx.t;
  const losers = (await listTellers(tx, realmId)).filter((user) => {
    const chosen = parseProfileData(user)[fieldId]?.value;
    return chosen !== undefined && !choices.includes(chosen);
  });
  if (losers.length === 0) return;
  const ids = JSON.stringify(losers.map(({ id }) => id));
  await tx.db
    .update(users)
    .set({ profileData: withoutMember(tx.dialect, users.profileData, String(fieldId)) })
    .where(isRowOf(tx.dialect, users, realmId, sql`${ids}`));
  if (losers.length > eventsMax) return endRealmQueues(tx, realmId);
  for (const user of losers) await announceValues(tx, user, new Map([[fieldId, undefined]]));
}

/** Deletes everybody's values of a removed field. Clients do so themselves. */
export async function forgetFieldIn(tx: Tx, realmId: number, fieldId: number) {
  const { users } = tx.t;
  const without = withoutMember(tx.dialect, users.profileData, String(fieldId));
  await tx.db
    .update(users)
    .set({ profileData: without })
    .where(and(eq(users.realmId, realmId), ne(users.profileData, "{}")));
}

async function listTellers(tx: Tx, realmId: number): Promise<UserRow[]> {
  const { users } = tx.t;
  return tx.db
    .select()
    .from(users)
    .where(and(eq(users.realmId, realmId), ne(users.profileData, "{}")));
}
