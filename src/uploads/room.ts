import { and, eq, isNull, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { App, Context, Person, Tx, UserRow } from "../core/context";
import { personalUploadQuotaReached, uploadQuotaReached } from "../core/errors";
import { perServer } from "../core/per-server";
import { onlyRow } from "../core/write";
import { uploadSpaceUsed } from "./queries";

/*
 * Quotas for files of an organization, and of a person in it. An upload in several requests counts
 * with its full size from its beginning until it is finished or has expired, so that it can always
 * be finished. Pictures of people and organizations, emoji and exports do not count, because their
 * number and size have limits of their own.
 */

export const bytesPerMib = 1_048_576;

/** Bytes that are used, or allowed. */
interface Room {
  realm: number;
  person: number;
}

/**
 * The quotas in bytes. A quota of 0 in the configuration means no limit. A system bot has no quota
 * of its own, because it stores files of other people.
 */
function quotasFor(
  { uploadQuotaMib, uploadQuotaPerUserMib }: App["config"],
  { isSystemBot }: UserRow,
): Room {
  const bytesOf = (mib: number) => (mib === 0 ? Number.POSITIVE_INFINITY : mib * bytesPerMib);
  return {
    realm: bytesOf(uploadQuotaMib),
    person: isSystemBot ? Number.POSITIVE_INFINITY : bytesOf(uploadQuotaPerUserMib),
  };
}

/** Sum of the bytes of unfinished uploads. */
const sumComing = statement(
  (db, { resumableUploads: r }, given: Given<{ realmId: number; userId: number }>) => {
    const bytesOf = (condition = sql`true`) =>
      sql<number>`coalesce(sum(case when ${condition} then ${r.sizeBytes} else 0 end), 0)`.mapWith(
        Number,
      );
    return db
      .select({ realm: bytesOf(), person: bytesOf(eq(r.ownerId, given.userId)) })
      .from(r)
      .where(and(eq(r.realmId, given.realmId), isNull(r.attachmentId)));
  },
);

/** Sum of the bytes of stored files and unfinished uploads. */
export async function roomTaken(reader: Reader, realmId: number, userId: number): Promise<Room> {
  const [coming] = await sumComing(reader, { realmId, userId });
  const stored = await uploadSpaceUsed(reader, realmId);
  const [total] = await selectTotal(reader, { realmId, ownerId: userId });
  const ofPerson = total?.bytes ?? (await sumOfFiles(reader, realmId, userId));
  return { realm: stored + (coming?.realm ?? 0), person: ofPerson + (coming?.person ?? 0) };
}

/** Refuses more bytes where they would exceed the quota of the organization or the person. */
export function requireRoom({ app, actor }: Context<Person>, taken: Room, bytes: number): void {
  const quotas = quotasFor(app.config, actor.user);
  if (taken.realm + bytes > quotas.realm) throw uploadQuotaReached();
  if (taken.person + bytes > quotas.person)
    throw personalUploadQuotaReached(app.config.uploadQuotaPerUserMib);
}

type Added = Given<{ realmId: number; ownerId: number; bytes: number }>;

const addToTotal = statement((db, { uploadTotals: u }, given: Added) =>
  db
    .update(u)
    .set({ bytes: sql`${u.bytes} + ${given.bytes}` })
    .where(and(eq(u.realmId, given.realmId), eq(u.ownerId, given.ownerId)))
    .returning({ bytes: u.bytes }),
);

const addToRealm = statement((db, { realms }, given: Given<{ realmId: number; bytes: number }>) =>
  db
    .update(realms)
    .set({ uploadedBytes: sql`${realms.uploadedBytes} + ${given.bytes}` })
    .where(eq(realms.id, given.realmId))
    .returning({ used: realms.uploadedBytes }),
);

/**
 * Adds bytes to the total of an owner, or subtracts them if the number is negative, after the row
 * is written. Answers the total of the organization.
 */
export async function addUsed(
  tx: Tx,
  realmId: number,
  ownerId: number,
  bytes: number,
): Promise<number> {
  const changed = await addToTotal(tx, { realmId, ownerId, bytes });
  if (changed.length === 0) {
    const values = { realmId, ownerId, bytes: await sumOfFiles(tx, realmId, ownerId) };
    await tx.db.insert(tx.t.uploadTotals).values(values);
  }
  return onlyRow(await addToRealm(tx, { realmId, bytes })).used;
}

const selectTotal = statement(
  (db, { uploadTotals: u }, given: Given<{ realmId: number; ownerId: number }>) =>
    db
      .select({ bytes: u.bytes })
      .from(u)
      .where(and(eq(u.realmId, given.realmId), eq(u.ownerId, given.ownerId))),
);

/**
 * The bytes of all files of an organization, or of an owner, from the rows of the files. They are
 * needed where no total is stored yet, for example after an import.
 */
export async function sumOfFiles(
  { db, t: { attachments } }: Reader,
  realmId: number,
  ownerId?: number,
): Promise<number> {
  const isOfOwner = ownerId === undefined ? undefined : eq(attachments.ownerId, ownerId);
  const [sum] = await db
    .select({ bytes: sql`coalesce(sum(${attachments.sizeBytes}), 0)`.mapWith(Number) })
    .from(attachments)
    .where(and(eq(attachments.realmId, realmId), isOfOwner));
  return sum?.bytes ?? 0;
}

/**
 * Bytes of uploads in one request that this process is receiving. They are not in the database yet.
 */
const arriving = perServer(() => ({
  realms: new Map<number, number>(),
  people: new Map<number, number>(),
}));

/**
 * Counts the bytes of an upload while they arrive, together with the other uploads of this process.
 */
export interface Arrival {
  /** Counts bytes. Refuses as `requireRoom` does; a refused upload no longer counts. */
  add(bytes: number): void;
  end(): void;
}

/** Begins to count an upload of the actor. */
export async function beginArrival(ctx: Context<Person>): Promise<Arrival> {
  const { app, reader, realm, actor } = ctx;
  const taken = await roomTaken(reader, realm.id, actor.user.id);
  const counts = arriving.of(app);
  let counted = 0;
  const count = (bytes: number) => {
    counted += bytes;
    change(counts.realms, realm.id, bytes);
    change(counts.people, actor.user.id, bytes);
  };
  const end = () => count(-counted);
  return {
    add(bytes) {
      count(bytes);
      const others = {
        realm: counts.realms.get(realm.id) ?? 0,
        person: counts.people.get(actor.user.id) ?? 0,
      };
      try {
        requireRoom(
          ctx,
          { realm: taken.realm + others.realm, person: taken.person + others.person },
          0,
        );
      } catch (refusal) {
        end();
        throw refusal;
      }
    },
    end,
  };
}

function change(counts: Map<number, number>, id: number, by: number) {
  const count = (counts.get(id) ?? 0) + by;
  if (count > 0) counts.set(id, count);
  else counts.delete(id);
}
