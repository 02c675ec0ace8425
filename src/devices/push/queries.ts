import { and, eq, isNotNull, like, notInArray } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { isIn, isRowOf } from "../../../db/sql/json";
import { parseStoredSettings } from "../../core/rights/group-setting";
import { cached } from "../../memory/cached";

/**
 * Kinds of tokens that older mobile clients register: they get no notifications, because those
 * would not be encrypted.
 */
const tokenKinds = ["apns", "fcm"] as const;
export type TokenKind = (typeof tokenKinds)[number];

export const isToken = ({ kind }: Pick<SubscriptionRow, "kind">): boolean =>
  tokenKinds.some((one) => one === kind);

export type SubscriptionRow = Schema["pushSubscriptions"]["$inferSelect"];

const selectWithDevice = statement((db, { devices: d }, given: Given<{ realmId: number }>) =>
  db
    .selectDistinct({ userId: d.userId })
    .from(d)
    .where(and(eq(d.realmId, given.realmId), isNotNull(d.pushTokenId))),
);

const selectSubscribed = statement(
  (db, { pushSubscriptions: s }, given: Given<{ realmId: number }>) =>
    db
      .selectDistinct({ userId: s.userId })
      .from(s)
      .where(and(eq(s.realmId, given.realmId), notInArray(s.kind, [...tokenKinds]))),
);

/** People who have any receiver of push notifications. Cached until a registration changes. */
export const pushHolders: (reader: Reader, realmId: number) => Promise<ReadonlySet<number>> =
  cached(["devices", "push_subscriptions"], async (reader, realmId) => {
    const [devices, others] = await Promise.all([
      selectWithDevice(reader, { realmId }),
      selectSubscribed(reader, { realmId }),
    ]);
    return new Set([...devices, ...others].map(({ userId }) => userId));
  });

/** Settings are stored only where they differ from their default, which is off for this one. */
const streamSetting = "enable_stream_push_notifications";

/** Only the few people who have changed the setting are read. */
const selectSettings = statement(
  (db, { users: u }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select({ id: u.id, settings: u.settings })
      .from(u)
      .where(
        and(
          isRowOf(dialect, u, given.realmId, given.ids),
          like(u.settings, `%"${streamSetting}"%`),
        ),
      ),
);

/** The people among them who want notifications of everything in all of their channels. */
export const streamPushHolders: (reader: Reader, realmId: number) => Promise<readonly number[]> =
  cached(["devices", "push_subscriptions", "users"], async (reader, realmId) => {
    const ids = JSON.stringify([...(await pushHolders(reader, realmId))]);
    const rows = await selectSettings(reader, { realmId, ids });
    return rows.flatMap(({ id, settings }) =>
      parseStoredSettings(settings)[streamSetting] === true ? [id] : [],
    );
  });

const selectOf = statement(
  (db, { pushSubscriptions: s }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select()
      .from(s)
      .where(and(eq(s.realmId, given.realmId), eq(s.userId, given.userId)))
      .orderBy(s.id),
);

/** Subscriptions of somebody in addition to devices of the protocol, oldest first. */
export const listSubscriptions = (
  reader: Reader,
  realmId: number,
  userId: number,
): PromiseLike<SubscriptionRow[]> => selectOf(reader, { realmId, userId });

/**
 * Target of a notification: a device of the protocol, or another subscription. As deliveries name
 * it.
 */
export type PushTarget = { userId: number } & ({ deviceId: number } | { subscriptionId: number });

const selectDevicesOf = statement(
  (db, { devices: d }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select({ userId: d.userId, deviceId: d.id })
      .from(d)
      .where(
        and(
          eq(d.realmId, given.realmId),
          isIn(dialect, d.userId, given.ids),
          isNotNull(d.pushTokenId),
        ),
      )
      .orderBy(d.id),
);

const selectSubscriptionsOf = statement(
  (db, { pushSubscriptions: s }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select({ userId: s.userId, subscriptionId: s.id })
      .from(s)
      .where(
        and(
          eq(s.realmId, given.realmId),
          isIn(dialect, s.userId, given.ids),
          notInArray(s.kind, [...tokenKinds]),
        ),
      )
      .orderBy(s.id),
);

/** All receivers of some people. */
export async function listTargets(
  reader: Reader,
  realmId: number,
  userIds: readonly number[],
): Promise<PushTarget[]> {
  const which = { realmId, ids: JSON.stringify(userIds) };
  const [devices, others] = await Promise.all([
    selectDevicesOf(reader, which),
    selectSubscriptionsOf(reader, which),
  ]);
  return [...devices, ...others];
}
