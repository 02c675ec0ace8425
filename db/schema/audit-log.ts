import type { Columns } from "./columns";
import { noId, personOrNull } from "./traits";

/** Acts of people, bots and operators that change an organization, oldest first. */
export function auditLogTables(columns: Columns) {
  const { table, identity, identityKey, realmOrder, integer, text, index } = columns;
  const auditLog = table(
    "audit_log",
    {
      of: "owners",
      exported: true,
      holds: {
        actorId: personOrNull,
        keyId: noId,
        targetIds: { is: "auditTargets" },
        details: { is: "auditDetails" },
      },
      onPersonDeleted: { keep: "acts stay until they are old, without the name and the address" },
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      createdAt: integer("created_at").notNull(),
      /** `person`, `bot`, `operator`, `server`, or `nobody` for somebody who has not signed in. */
      actorKind: text("actor_kind").notNull(),
      actorId: integer("actor_id"),
      /** `session` or `key`; empty where the request came with none of both. */
      way: text("way").notNull(),
      /** The API key, or the one that the session belongs to. */
      keyId: integer("key_id"),
      /** Network address of the client, or account and machine of a command; empty if unknown. */
      address: text("address").notNull(),
      client: text("client").notNull(),
      action: text("action").notNull(),
      targetKind: text("target_kind").notNull(),
      /** JSON list of the ids of objects of that kind. */
      targetIds: text("target_ids").notNull(),
      /** JSON of the values `before` and `after`. */
      details: text("details").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      ...realmOrder("audit_log_realm", t.realmId, t.id),
      index("audit_log_actor").on(t.realmId, t.actorId, t.id),
      index("audit_log_target").on(t.realmId, t.targetKind, t.id),
    ],
  );
  return { auditLog };
}
