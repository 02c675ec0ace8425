import { type Static, Type } from "@sinclair/typebox";
import type { Schema } from "../../../db/schema";
import { auditActorKinds, auditTargets, storedFacts } from "../../core/audit";
import { parsedJson } from "../../core/json/parsed-json";
import { isRecord } from "../../core/json/record";

export type ActRow = Schema["auditLog"]["$inferSelect"];

const facts = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

/** An act as the API and the command line show it. */
export const actObject = Type.Object(
  {
    id: Type.Integer(),
    timestamp: Type.Integer({ description: "UNIX seconds." }),
    actor: Type.Object({
      kind: Type.String({ description: `One of ${auditActorKinds.join(", ")}.` }),
      user_id: Type.Union([Type.Integer(), Type.Null()]),
      full_name: Type.Union([Type.String(), Type.Null()], {
        description: "The name as of now: that of a deleted account if the person was deleted.",
      }),
    }),
    way: Type.String({ description: "`session` or `key`; empty where it was none of both." }),
    key_id: Type.Union([Type.Integer(), Type.Null()], {
      description: "The API key, or the session.",
    }),
    address: Type.String({
      description: "Network address of the client, or account and machine of a command.",
    }),
    client: Type.String(),
    action: Type.String({ description: "What was done, as `noun.verb`." }),
    target: Type.Object({
      kind: Type.String({ description: `One of ${auditTargets.join(", ")}.` }),
      ids: Type.Array(Type.Integer()),
    }),
    before: facts("Values before it, of what matters."),
    after: facts("Values after it."),
  },
  { title: "AuditedAct" },
);

export type WireAct = Static<typeof actObject>;

/** A row in the form of the API; `name` is the actor's. */
export function actWire(row: ActRow, name: string | undefined): WireAct {
  const { before, after } = storedFacts(row.details);
  const ids = parsedJson(row.targetIds);
  return {
    id: row.id,
    timestamp: row.createdAt,
    actor: { kind: row.actorKind, user_id: row.actorId, full_name: name ?? null },
    way: row.way,
    key_id: row.keyId,
    address: row.address,
    client: row.client,
    action: row.action,
    target: { kind: row.targetKind, ids: Array.isArray(ids) ? ids.filter(Number.isInteger) : [] },
    before: isRecord(before) ? before : {},
    after: isRecord(after) ? after : {},
  };
}
