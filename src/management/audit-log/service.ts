import { type Static, Type } from "@sinclair/typebox";
import { and, desc, eq, gte, like, lt, or, type SQL } from "drizzle-orm";
import type { Schema } from "../../../db/schema";
import { auditActorKinds, auditTargets } from "../../core/audit";
import type { Context } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, integer, optional, record, text, word } from "../../core/params";
import { requireOwner } from "../../core/rights/permission";
import { findUsersByIds } from "../../people/users/queries";
import { hideAddresses } from "./hidden-addresses";
import { type ActRow, actObject, actWire, type WireAct } from "./wire";

export const actsMax = 1_000;
/** Bytes of rows that one answer holds. */
const answerBytesMax = 1_048_576;
/** Bytes of a row in addition to its texts of any length, as JSON. */
const rowBytes = 400;

export const ListAuditLog = record({
  beforeId: optional(id()),
  limit: optional(integer({ minimum: 1, maximum: actsMax })),
  since: optional(integer()),
  until: optional(integer()),
  actorId: optional(id()),
  actorKind: optional(word(...auditActorKinds)),
  action: optional(text()),
  targetKind: optional(word(...auditTargets)),
  targetId: optional(id()),
});

export const AuditLogPage = Type.Object({
  audit_log: Type.Array(actObject, { description: "Newest first." }),
  found_oldest: Type.Boolean({
    description: "Whether no older act fits. If not, ask again with `before_id`.",
  }),
});

/**
 * Acts of the organization, newest first, for its owners and the operator (else
 * UNAUTHORIZED_PRINCIPAL). Owners do not read addresses of people who show theirs to nobody
 * (`hideAddresses`). `action` is `user.deactivate`, or `user` for all of them; `since` and `until`
 * are UNIX seconds. At most `limit` acts (100) before the act with the id `beforeId`, and fewer
 * where they are long. Refuses (BAD_REQUEST) an id of a target without its kind.
 */
export async function listAuditLog(
  ctx: Context,
  input: Input<typeof ListAuditLog>,
): Promise<Static<typeof AuditLogPage>> {
  requireOwner(ctx.actor);
  if (input.targetId !== undefined && input.targetKind === undefined)
    throw badRequest("Say what kind of object 'target_id' is of, with 'target_kind'.");
  const { reader, realm } = ctx;
  const { auditLog } = reader.t;
  const limit = input.limit ?? 100;
  const rows = await reader.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.realmId, realm.id), ...conditionsOf(auditLog, input)))
    .orderBy(desc(auditLog.id))
    .limit(limit + 1);
  const shown = withinBytes(rows.slice(0, limit));
  return {
    audit_log: [...(await hideAddresses(ctx, await describeActs(ctx, shown)))],
    found_oldest: shown.length === rows.length,
  };
}

function conditionsOf(
  t: Schema["auditLog"],
  {
    beforeId,
    since,
    until,
    actorId,
    actorKind,
    action,
    targetKind,
    targetId,
  }: Input<typeof ListAuditLog>,
): (SQL | undefined)[] {
  return [
    beforeId === undefined ? undefined : lt(t.id, beforeId),
    since === undefined ? undefined : gte(t.createdAt, since),
    until === undefined ? undefined : lt(t.createdAt, until),
    actorId === undefined ? undefined : eq(t.actorId, actorId),
    actorKind === undefined ? undefined : eq(t.actorKind, actorKind),
    action === undefined ? undefined : actionIs(t, action),
    targetKind === undefined ? undefined : eq(t.targetKind, targetKind),
    targetId === undefined ? undefined : hasTarget(t, targetId),
  ];
}

function actionIs(t: Schema["auditLog"], action: string): SQL {
  if (!/^[a-z_]{1,40}(\.[a-z_]{1,40})?$/.test(action))
    throw badRequest("'action' is like user.deactivate, or user for all acts of that kind.");
  return action.includes(".") ? eq(t.action, action) : like(t.action, `${action}.%`);
}

/** Whether a JSON list of ids, which has no spaces, contains the id. */
function hasTarget({ targetIds }: Schema["auditLog"], targetId: number): SQL | undefined {
  const patterns = [`[${targetId},%`, `%,${targetId},%`, `%,${targetId}]`];
  return or(eq(targetIds, `[${targetId}]`), ...patterns.map((one) => like(targetIds, one)));
}

/** The first rows that fit into one answer, and at least one. */
function withinBytes(rows: readonly ActRow[]): ActRow[] {
  let sizeBytes = 0;
  const fitting = rows.findIndex((row, index) => {
    sizeBytes += rowBytes + Buffer.byteLength(row.details) + row.targetIds.length;
    return index > 0 && sizeBytes > answerBytesMax;
  });
  return fitting === -1 ? [...rows] : rows.slice(0, fitting);
}

async function describeActs(
  { reader, realm }: Context,
  rows: readonly ActRow[],
): Promise<WireAct[]> {
  const ids = [...new Set(rows.flatMap(({ actorId }) => actorId ?? []))];
  const users = await findUsersByIds(reader, realm.id, ids);
  const names = new Map(users.map((user) => [user.id, user.fullName]));
  return rows.map((row) => actWire(row, names.get(row.actorId ?? 0)));
}
