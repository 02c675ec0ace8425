import { eq } from "drizzle-orm";
import type { Schema } from "../../../db/schema";
import type { StagedRows } from "../../../db/staged-rows";
import { reserveIds } from "../../../db/take-rows";
import type { App, RealmRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { makeRandomId } from "../../core/secrets/secrets";
import { onlyRow } from "../../core/write";
import type { PreparedRealm } from "../../management/organization/create";
import { idsPerBlock } from "../../reading/read-blocks";
import { findRealmByHost } from "../../realm/queries";
import { boundsOf, numberedTables, type Shift, type Shifts } from "./shifts";

export type ImportRow = Schema["realmImports"]["$inferSelect"];

/** An import that has begun or is complete. */
export interface Begun {
  realm: RealmRow;
  row: ImportRow;
}

/**
 * The import that made the organization at a host; undefined where no organization has this host.
 * Refuses a host of an organization that was not imported from this file (BAD_REQUEST).
 */
export async function findBegun(
  app: App,
  host: string,
  digest: string,
): Promise<Begun | undefined> {
  const { reader } = app.engine;
  const realm = await findRealmByHost(reader, host);
  if (!realm) return undefined;
  const { realmImports } = reader.t;
  const [row] = await reader.db
    .select()
    .from(realmImports)
    .where(eq(realmImports.realmId, realm.id));
  if (!row)
    throw badRequest(
      `There is already an organization at ${host}. Choose another host; docs/moving.md says what to do if a first start has made it.`,
    );
  if (row.digest !== digest) {
    throw badRequest(
      `The organization at ${host} was imported from another file, or in another way. Choose another host.`,
    );
  }
  return { realm, row };
}

/**
 * Creates the organization, deactivated until the import is complete, and reserves its ids. Until
 * then the operator may delete it like any deactivated organization.
 */
export async function beginImport(
  app: App,
  { name, host }: PreparedRealm,
  digest: string,
  rows: StagedRows,
): Promise<Begun> {
  const now = app.clock.now();
  const bounds = allBounds(rows);
  const begun = await app.engine.write(
    0,
    async (tx) => {
      const { realms, realmImports } = tx.t;
      const made = { host, name, uuid: makeRandomId(), createdAt: now, isActive: false };
      const [realm] = await tx.db.insert(realms).values(made).onConflictDoNothing().returning();
      if (!realm)
        throw badRequest(`There is already an organization at ${host}. Choose another host.`);
      const shifts: [string, Shift][] = [];
      for (const [table, found] of bounds) {
        const shift = await reserveIds(tx, table, found, table === "messages" ? idsPerBlock : 1);
        shifts.push([table, { ...found, shift }]);
      }
      const row = {
        realmId: realm.id,
        digest,
        shifts: JSON.stringify(Object.fromEntries(shifts)),
        startedAt: now,
      };
      return { realm, row: onlyRow(await tx.db.insert(realmImports).values(row).returning()) };
    },
    () => undefined,
  );
  return begun;
}

const allBounds = (rows: StagedRows) =>
  numberedTables().flatMap((table) => {
    const found = boundsOf(rows, table);
    return found ? [[table, found] as const] : [];
  });

/** The differences between the ids in the file and the ids here, before ids are reserved. */
export const plannedShifts = (rows: StagedRows): Shifts =>
  Object.fromEntries(allBounds(rows).map(([table, found]) => [table, { ...found, shift: 0 }]));

/** The differences between ids that were stored when an import began. */
export function parseShifts(json: string): Shifts {
  const parsed: Record<string, Shift> = JSON.parse(json);
  return parsed;
}
