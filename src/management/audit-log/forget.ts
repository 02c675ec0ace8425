import { and, eq, like, or } from "drizzle-orm";
import { type AuditFacts, storedFacts } from "../../core/audit";
import type { Tx, UserRow } from "../../core/context";
import { isRecord } from "../../core/record";

/**
 * Takes a deleted person's name and addresses out of the audit log, as part of a write: where they
 * acted from, and what others noted about them. The acts themselves stay.
 */
export async function forgetInAuditLog(tx: Tx, user: UserRow): Promise<void> {
  const { auditLog } = tx.t;
  const { realmId, id, email } = user;
  const inRealm = eq(auditLog.realmId, realmId);
  await tx.db
    .update(auditLog)
    .set({ address: "" })
    .where(and(inRealm, eq(auditLog.actorId, id)));
  const isAboutThem = and(eq(auditLog.targetKind, "user"), eq(auditLog.targetIds, `[${id}]`));
  const rows = await tx.db
    .select()
    .from(auditLog)
    .where(and(inRealm, or(isAboutThem, like(auditLog.details, `%${textOf(email)}%`))));
  for (const row of rows) {
    const isTheirs = row.targetKind === "user" && row.targetIds === `[${id}]`;
    const details = withoutAddress(isTheirs ? withoutNames(row.details) : row.details, email);
    if (details === row.details) continue;
    await tx.db
      .update(auditLog)
      .set({ details })
      .where(and(inRealm, eq(auditLog.id, row.id)));
  }
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
