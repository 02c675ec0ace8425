import { and, eq, like, or, sql } from "drizzle-orm";
import { type AuditFacts, storedFacts } from "../../core/audit";
import { inChunks } from "../../core/chunks";
import type { Tx, UserRow } from "../../core/context";
import { isRecord } from "../../core/json/record";
import { emailKeyOf, findUserByEmail } from "../../people/users/queries";
import type { ActRow } from "./wire";

/** Number of addresses in one statement. */
const addressesPerStatement = 50;

/**
 * Takes a deleted person's name and addresses, former ones too, out of the audit log, as part of a
 * write: where they acted from, and what others noted about them. The acts themselves stay.
 */
export async function forgetInAuditLog(tx: Tx, user: UserRow): Promise<void> {
  const { auditLog } = tx.t;
  const { realmId, id } = user;
  const inRealm = eq(auditLog.realmId, realmId);
  await tx.db
    .update(auditLog)
    .set({ address: "" })
    .where(and(inRealm, eq(auditLog.actorId, id)));
  const isAboutThem = and(eq(auditLog.targetKind, "user"), eq(auditLog.targetIds, `[${id}]`));
  const acts = await tx.db.select().from(auditLog).where(and(inRealm, isAboutThem));
  for (const act of acts) await storeDetails(tx, act, withoutNames(act.details));
  const addresses = await listAddresses(tx, user, acts);
  for (const chunk of inChunks(addresses, addressesPerStatement))
    await forgetAddresses(tx, user, chunk);
}

/** The addresses that the person had, without those that others have by now. */
async function listAddresses(tx: Tx, user: UserRow, acts: readonly ActRow[]): Promise<string[]> {
  const addresses = new Map([[user.emailKey, user.email]]);
  for (const { details } of acts) {
    const { before, after } = storedFacts(details);
    for (const facts of [before, after]) {
      const email = isRecord(facts) ? facts["email"] : undefined;
      if (typeof email !== "string" || addresses.has(emailKeyOf(email))) continue;
      if (!(await findUserByEmail(tx, user.realmId, email)))
        addresses.set(emailKeyOf(email), email);
    }
  }
  return [...addresses.values()];
}

async function forgetAddresses(tx: Tx, { realmId }: UserRow, addresses: readonly string[]) {
  const { auditLog } = tx.t;
  // In lower case, because the engines differ in whether `like` heeds the case.
  const names = addresses.map((one) =>
    like(sql`lower(${auditLog.details})`, `%${textOf(one).toLowerCase()}%`),
  );
  const acts = await tx.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.realmId, realmId), or(...names)));
  for (const act of acts)
    await storeDetails(tx, act, addresses.reduce(withoutAddress, act.details));
}

async function storeDetails({ db, t: { auditLog } }: Tx, act: ActRow, details: string) {
  if (details === act.details) return;
  await db
    .update(auditLog)
    .set({ details })
    .where(and(eq(auditLog.realmId, act.realmId), eq(auditLog.id, act.id)));
}

/** A text as it stands inside JSON. */
const textOf = (text: string) => JSON.stringify(text).slice(1, -1);

function withoutNames(details: string): string {
  const { before, after } = storedFacts(details);
  return JSON.stringify({ before: impersonal(before), after: impersonal(after) });
}

function impersonal(facts: unknown): AuditFacts {
  if (!isRecord(facts)) return {};
  const { email: _email, full_name: _name, ...others } = facts;
  return others;
}

function withoutAddress(details: string, email: string): string {
  const escaped = RegExp.escape(textOf(email));
  return details.replace(new RegExp(`(?<![\\w.+-])${escaped}(?![\\w.-])`, "giu"), "(deleted)");
}
