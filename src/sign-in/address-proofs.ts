import { and, eq, gt, inArray, isNull } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { Schema } from "../../db/schema";
import type { Context, Tx } from "../core/context";
import { makeToken } from "../core/secrets/secrets";
import { emailKeyOf } from "../people/users/queries";

/** Proof that a person owns an e-mail address: they open a link that was mailed to it. */
export type AddressProof = Schema["addressProofs"]["$inferSelect"];

/**
 * Purpose of a proof: a new address of a person, joining without an invitation, or joining by a
 * reusable invitation. A link for one purpose does not work for another.
 */
export type ProofKind = "address" | "registration" | "joining";

type Place = Pick<Context, "app" | "realm">;

/**
 * Number of open links mailed to one address, because otherwise others could fill its mailbox. To
 * join, only the links to join count, so that no member can keep somebody else from joining.
 */
const openMax = 5;
/**
 * Number of links for another address that a person gets in a day, because each is a mail to
 * whatever address they name.
 */
const changesMax = 5;

/**
 * Starts the proof of an address; answers the link's token, or undefined if too many links were
 * mailed to the address.
 */
export async function beginProof(
  tx: Tx,
  { app, realm }: Place,
  kind: ProofKind,
  { userId, email, lifeSeconds }: { userId: number | null; email: string; lifeSeconds: number },
): Promise<{ token: string; expiresAt: number } | undefined> {
  const { addressProofs } = tx.t;
  const emailKey = emailKeyOf(email);
  const isOpen = and(
    eq(addressProofs.realmId, realm.id),
    eq(addressProofs.emailKey, emailKey),
    gt(addressProofs.expiresAt, tx.now),
    userId === null ? isNull(addressProofs.userId) : undefined,
  );
  if ((await tx.db.$count(addressProofs, isOpen)) >= openMax) return undefined;
  const token = makeToken();
  const expiresAt = tx.now + lifeSeconds;
  const hash = app.secrets.hash(kind, token);
  await tx.db
    .insert(addressProofs)
    .values({ realmId: realm.id, hash, userId, email, emailKey, expiresAt });
  return { token, expiresAt };
}

/** Proof of the link with a token; undefined for one that does not work. */
export async function findProof(
  { db, t: { addressProofs } }: Reader,
  { app, realm, now }: Place & { now: number },
  kind: ProofKind,
  token: string,
): Promise<AddressProof | undefined> {
  const isIt = and(
    eq(addressProofs.realmId, realm.id),
    eq(addressProofs.hash, app.secrets.hash(kind, token)),
  );
  const [proof] = await db.select().from(addressProofs).where(isIt);
  return proof && now < proof.expiresAt ? proof : undefined;
}

/** Ends all links that were mailed to an address, because one of them was used. */
export async function endProofsOf(
  { db, t: { addressProofs } }: Tx,
  { realmId, emailKey }: AddressProof,
) {
  await db
    .delete(addressProofs)
    .where(and(eq(addressProofs.realmId, realmId), eq(addressProofs.emailKey, emailKey)));
}

/**
 * Ends the links that would change the address of these users. Announced to nobody. The rows stay
 * until the links would have expired, because their mails still count in the limits.
 */
export async function endAddressChanges(
  { db, t: { addressProofs } }: Tx,
  realmId: number,
  userIds: readonly number[],
) {
  const isTheirs = and(
    eq(addressProofs.realmId, realmId),
    inArray(addressProofs.userId, [...userIds]),
  );
  const rows = await db.select({ hash: addressProofs.hash }).from(addressProofs).where(isTheirs);
  for (const { hash } of rows) {
    if (hash.startsWith(endedPrefix)) continue;
    await db
      .update(addressProofs)
      .set({ hash: `${endedPrefix}${hash}` })
      .where(and(eq(addressProofs.realmId, realmId), eq(addressProofs.hash, hash)));
  }
}

/** Beginning of the hash of a link that has ended: no token has such a hash. */
const endedPrefix = "ended:";

/** Removes all links that would give some users another address, whose accounts end. */
export async function removeAddressChanges(
  { db, t: { addressProofs } }: Tx,
  realmId: number,
  userIds: readonly number[],
) {
  const isTheirs = inArray(addressProofs.userId, [...userIds]);
  await db.delete(addressProofs).where(and(eq(addressProofs.realmId, realmId), isTheirs));
}

/** Whether somebody has asked for as many links for another address as they may in a day. */
export async function isOverChangesLimit(
  { db, now, t: { addressProofs } }: Tx,
  realmId: number,
  userId: number,
): Promise<boolean> {
  const isRecent = and(
    eq(addressProofs.realmId, realmId),
    eq(addressProofs.userId, userId),
    gt(addressProofs.expiresAt, now),
  );
  return (await db.$count(addressProofs, isRecent)) >= changesMax;
}
