import { type Static, Type } from "@sinclair/typebox";
import { and, asc, eq, inArray, type SQL } from "drizzle-orm";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest, unknownPushToken } from "../../core/errors";
import { type Input, id, optional, record, text, word } from "../../core/params";
import { onlyRow, write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { requireLiveKey } from "../live-key";
import { enqueueDelivery } from "./jobs";
import { isToken, listSubscriptions, type TokenKind } from "./queries";
import {
  hashTarget,
  isEncrypted,
  isUnserved,
  openTarget,
  requireAddress,
  type SubscribedKind,
  sealTarget,
  subscribedKinds,
  type Target,
} from "./target";
import { loadVapidKey } from "./vapid";
import { requireWebPushKeys } from "./web-push";

const tokenLengthMax = 4_096;

export const ListPushSubscriptions = record({});

/**
 * A registered receiver for its owner, without its address, because whoever has the address can
 * send to it.
 */
const subscriptionObject = Type.Object({
  id: Type.Integer(),
  kind: Type.String({ enum: [...subscribedKinds] }),
  host: Type.String({ description: "Host of the address that notifications are posted to." }),
  is_encrypted: Type.Boolean({
    description:
      "Whether the notifications are encrypted, so that only the receiver can read them.",
  }),
  created_at: Type.Integer({ description: "UNIX seconds." }),
});

/** Receivers of notifications, with the key for subscriptions of browsers. */
export const PushSubscriptionList = Type.Object({
  vapid_public_key: Type.String({ description: "In base64url." }),
  push_subscriptions: Type.Array(subscriptionObject),
});

/**
 * The actor's browsers and other receivers of notifications, with the key for subscriptions of
 * browsers: this server's VAPID key, in base64url.
 */
export async function listPushSubscriptions(
  ctx: Context<Person>,
): Promise<Static<typeof PushSubscriptionList>> {
  const { app, realm, reader, actor } = ctx;
  const { publicKey } = await loadVapidKey(app);
  const rows = (await listSubscriptions(reader, realm.id, actor.user.id)).filter(
    (row) => !isToken(row),
  );
  const push_subscriptions = rows.map((row) => {
    const target = openTarget(app.secrets, row);
    const where = { host: URL.parse(target.to)?.host ?? "", is_encrypted: isEncrypted(target) };
    return { id: row.id, kind: row.kind, ...where, created_at: row.createdAt };
  });
  return { vapid_public_key: publicKey, push_subscriptions };
}

export const AddPushSubscription = record({
  kind: word("web_push", "unified_push", "ntfy"),
  endpoint: text(),
  p256dh: optional(text()),
  auth: optional(text()),
});

/** Id of the receiver, for its removal. */
export const AddedPushSubscription = Type.Object({ id: Type.Integer() });

/**
 * Adds a receiver of notifications: a browser's push service (`web_push`, encrypted with the two
 * keys of the browser), a UnifiedPush server (encrypted where there are keys, else JSON), or a
 * topic of ntfy, for its app. Without keys, the service that delivers a notification can read its
 * sender, place and text. The receiver ends with the API key, or session, that registered it.
 * Announced to nobody. Refuses (BAD_REQUEST) an address that is invalid or not public, keys that
 * are invalid or incomplete, and missing keys where the organization requires encrypted
 * notifications (`require_e2ee_push_notifications`), and a key that has ended meanwhile
 * (UNAUTHORIZED, 401).
 */
export async function addPushSubscription(
  ctx: Context<Person>,
  { kind, endpoint, p256dh, auth }: Input<typeof AddPushSubscription>,
): Promise<Static<typeof AddedPushSubscription>> {
  const to = requireAddress(ctx.app, endpoint);
  const keys = readKeys(kind, p256dh, auth);
  return { id: await storeTarget(ctx, kind, { to, ...keys }) };
}

function readKeys(kind: SubscribedKind, p256dh: string | undefined, auth: string | undefined) {
  if (p256dh !== undefined && auth !== undefined) {
    if (kind === "ntfy")
      throw badRequest(
        "ntfy shows each notification as it is sent: leave out `p256dh` and `auth`.",
      );
    return requireWebPushKeys({ p256dh, auth });
  }
  if (kind === "web_push" || p256dh !== undefined || auth !== undefined) {
    throw badRequest("Send both keys of the subscription: `p256dh` and `auth`.");
  }
  return {};
}

const mustBeEncrypted = () =>
  badRequest(
    "Your organization sends encrypted notifications only: use a receiver that gives `p256dh` and `auth`.",
  );

/** Replaces the oldest receiver where somebody has too many; a known receiver gets the new keys. */
async function storeTarget(ctx: Context<Person>, kind: string, target: Target): Promise<number> {
  const sealedTarget = sealTarget(ctx.app.secrets, ctx.actor.user.id, target);
  const targetHash = hashTarget(target.to);
  return write(ctx, async (tx) => {
    const { realm, actor, app } = await renewContext(tx, ctx);
    await requireLiveKey(tx, ctx);
    if (!isToken({ kind }) && isUnserved(realm, kind, target)) throw mustBeEncrypted();
    const place = { realmId: realm.id, userId: actor.user.id };
    const { pushSubscriptions: s } = tx.t;
    const rows = await tx.db
      .insert(s)
      .values({
        ...place,
        apiKeyId: actor.apiKeyId,
        kind,
        targetHash,
        sealedTarget,
        createdAt: tx.now,
      })
      .onConflictDoUpdate({
        target: [s.realmId, s.userId, s.kind, s.targetHash],
        set: { apiKeyId: actor.apiKeyId, sealedTarget },
      })
      .returning({ id: s.id });
    await makeRoom(tx, place, app.config.pushDevicesPerUserMax);
    return onlyRow(rows).id;
  });
}

async function makeRoom(
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
  countMax: number,
) {
  const { pushSubscriptions: s } = tx.t;
  const stored = await tx.db
    .select({ id: s.id })
    .from(s)
    .where(and(eq(s.realmId, realmId), eq(s.userId, userId)))
    .orderBy(asc(s.id));
  const surplus = stored
    .slice(0, Math.max(0, stored.length - countMax))
    .map(({ id: subscriptionId }) => subscriptionId);
  if (surplus.length > 0)
    await tx.db.delete(s).where(and(eq(s.realmId, realmId), inArray(s.id, surplus)));
}

export const RemovePushSubscription = record({ subscriptionId: id() });

/** Removes a receiver. Refuses a missing one and another person's alike (BAD_REQUEST). */
export async function removePushSubscription(
  ctx: Context<Person>,
  { subscriptionId }: Input<typeof RemovePushSubscription>,
): Promise<undefined> {
  const { pushSubscriptions: s } = ctx.reader.t;
  const isRemoved = await removeOwn(ctx, eq(s.id, subscriptionId));
  if (!isRemoved) throw badRequest("Invalid push subscription: it is not one of yours.");
}

async function removeOwn(ctx: Context<Person>, which: SQL | undefined): Promise<boolean> {
  return write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    const { pushSubscriptions: s } = tx.t;
    const removed = await tx.db
      .delete(s)
      .where(and(eq(s.realmId, realm.id), eq(s.userId, actor.user.id), which))
      .returning({ id: s.id });
    return removed.length > 0;
  });
}

export const AddApnsToken = record({ token: text(), appid: text() });
export const AddFcmToken = record({ token: text() });
export const RemoveToken = record({ token: text() });

const tokenForms = { apns: /^[0-9a-fA-F]+$/, fcm: /^[\x21-\x7e]+$/ };

/**
 * Stores the token of an older mobile client, which sends it on sign-in. It gets no notifications,
 * because they would pass unencrypted through other servers; current devices register with
 * `registerPush`. Announced to nobody. Refuses (BAD_REQUEST) an invalid token. Source:
 * `test/recorded/api/api-surface.json`, add-apns-token and add-fcm-token.
 */
export const addToken =
  (kind: TokenKind) =>
  async (ctx: Context<Person>, { token }: Input<typeof AddFcmToken>): Promise<undefined> => {
    requireToken(kind, token);
    await storeTarget(ctx, kind, { to: token });
  };

/**
 * Deletes such a token. Refuses (BAD_REQUEST) an invalid one, and one that is not registered as the
 * actor's.
 */
export const removeToken =
  (kind: TokenKind) =>
  async (ctx: Context<Person>, { token }: Input<typeof RemoveToken>): Promise<undefined> => {
    requireToken(kind, token);
    const { pushSubscriptions: s } = ctx.reader.t;
    const isRemoved = await removeOwn(
      ctx,
      and(eq(s.kind, kind), eq(s.targetHash, hashTarget(token))),
    );
    if (!isRemoved) throw badRequest("Token does not exist.");
  };

function requireToken(kind: TokenKind, token: string) {
  if (token.length === 0 || token.length > tokenLengthMax)
    throw badRequest("Empty or invalid length token.");
  if (!tokenForms[kind].test(token))
    throw badRequest("Invalid token: it does not have the format of a device token.");
}

export const SendTest = record({ token: optional(text()) });

/**
 * Sends a test notification to the actor's browsers and other receivers, by background work.
 * Refuses every token of an older mobile client (INVALID_PUSH_DEVICE_TOKEN), because these get no
 * notifications. Source: `test/recorded/api/api-surface.json`, test-notify.
 */
export async function sendTest(
  ctx: Context<Person>,
  { token }: Input<typeof SendTest>,
): Promise<undefined> {
  if (token !== undefined) throw unknownPushToken();
  const userId = ctx.actor.user.id;
  await write(ctx, async (tx) => {
    for (const row of await listSubscriptions(tx, ctx.realm.id, userId)) {
      if (isToken(row)) continue;
      await enqueueDelivery(tx, ctx.realm, {
        userId,
        subscriptionId: row.id,
        type: "test",
        messageIds: [],
      });
    }
  });
}
