import * as pg from "drizzle-orm/pg-core";
import { describe, type Traits } from "./traits";

const postgresBytes = pg.customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => "bytea",
});

type Keys = (self: Record<string, pg.PgColumn>) => pg.PgTableExtraConfigValue[];

/** The functions of `columns.ts` for PostgreSQL. */
export const postgresColumns = {
  table: (
    name: string,
    traits: Traits,
    columns: Record<string, pg.PgColumnBuilderBase>,
    keys?: Keys,
  ) => describe(pg.pgTable(name, columns, keys as never), traits),
  identity: () => pg.bigint("id", { mode: "number" }).generatedByDefaultAsIdentity().notNull(),
  identityKey: (realmId: pg.PgColumn, id: pg.PgColumn) => [
    pg.primaryKey({ columns: [realmId, id] }),
  ],
  realmOrder: (_name: string, _realmId: pg.PgColumn, _id: pg.PgColumn): pg.IndexBuilder[] => [],
  integer: (name: string) => pg.bigint(name, { mode: "number" }),
  text: (name: string) => pg.text(name),
  boolean: (name: string) => pg.boolean(name),
  bytes: (name: string) => postgresBytes(name),
  index: pg.index,
  uniqueIndex: pg.uniqueIndex,
  primaryKey: (...columns: [pg.PgColumn, ...pg.PgColumn[]]) => pg.primaryKey({ columns }),
};

/** The words of messages, as text search vectors. */
export const postgresWords = pg.pgTable("message_words", {
  realmId: pg.bigint("realm_id", { mode: "number" }).notNull(),
  messageId: pg.bigint("message_id", { mode: "number" }).notNull(),
  words: pg
    .customType<{ data: string }>({ dataType: () => "tsvector" })("words")
    .notNull(),
});
