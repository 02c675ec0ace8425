import type { Reader } from "../../../db/reader";
import { exportedTables } from "../../../db/schema/tables";
import { idsOf } from "../../../db/take-rows";
import { IdSet } from "../realm-archive/id-set";

let named: ReadonlySet<string> | undefined;

/** Whether rows of other tables name rows of this one. */
function isNamed(table: string): boolean {
  named ??= new Set(
    exportedTables().flatMap(({ holds }) =>
      Object.values(holds).flatMap((holding) => {
        if (holding.is === "emojiCode") return "realm_emoji";
        return holding.is === "id" ? holding.of : [];
      }),
    ),
  );
  return named.has(table);
}

/**
 * The ids here of the rows that an import has taken, of each table that is complete. With them it
 * refuses rows that name a refused row.
 */
export class TakenRows {
  private readonly complete = new Map<string, IdSet>();

  /** Notes that a table is complete, from what the database has of it. */
  async read(reader: Reader, table: string, realmId: number): Promise<void> {
    if (!isNamed(table)) return;
    const ids = new IdSet();
    for await (const page of idsOf(reader, table, realmId)) for (const id of page) ids.add(id);
    this.complete.set(table, ids);
  }

  /** Notes that a table is complete with the given ids, for a preview, which writes nothing. */
  note(table: string, ids: IdSet): void {
    if (isNamed(table)) this.complete.set(table, ids);
  }

  /** Whether a table is complete without the row of an id. */
  lacks = (table: string, id: number): boolean => this.complete.get(table)?.has(id) === false;
}
