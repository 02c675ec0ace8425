import { getTableColumns } from "drizzle-orm";
import type { Schema } from "../../../db/schema";
import { allTables } from "../../../db/schema/tables";
import { findTraits, type Holding } from "../../../db/schema/traits";
import { takeRows } from "../../../db/take-rows";
import { write } from "../../../src/core/write";
import type { World } from "../world";

/** Tables that need more than a single row: a world has rows in each except the last. */
const madeOtherwise = ["realms", "users", "messages", "event_log", "message_words"];

type Table = Schema[keyof Schema];

/** The column that says whose a row is: the table's first declared column with a person's id. */
export const personColumn = (table: object): string | undefined =>
  Object.entries(findTraits(table)?.holds ?? {}).find(([, holding]) => isPerson(holding))?.[0];

export const isPerson = (holding: Holding | undefined): boolean =>
  holding?.is === "id" && holding.of === "users";

function anyValue(dataType: string) {
  if (dataType === "number") return 1;
  if (dataType === "boolean") return false;
  return dataType === "string" ? "1" : Buffer.alloc(128);
}

/** A row of a world's first organization that names the person wherever it names people. */
function anyRow(table: Table, { realm, channels }: World, personId: number) {
  const holds: Readonly<Record<string, Holding | undefined>> = findTraits(table)?.holds ?? {};
  const columns = Object.entries(getTableColumns(table)).filter(([, { name }]) => name !== "id");
  const cellOf = (key: string, dataType: string) => {
    const holding = holds[key];
    if (key === "realmId") return realm.id;
    if (isPerson(holding)) return personId;
    if (holding?.is === "people") return String(personId);
    return holding?.is === "id" && holding.of === "channels"
      ? channels.general
      : anyValue(dataType);
  };
  const withId = "id" in table && table.id.dataType === "string" ? { id: "1" } : {};
  const row = columns.map(([key, { name, dataType }]) => [name, cellOf(key, dataType)]);
  return { ...Object.fromEntries(row), ...withId };
}

/** Adds a row of a person to each table in which they have none. */
export async function fillTables(world: World, personId: number): Promise<void> {
  const { app, clock, operator } = world;
  const schema = Object.values(app.engine.schema);
  await write({ ...operator, now: clock.now() }, async (tx) => {
    for (const [at, { name, columns }] of allTables().entries()) {
      const table = schema[at];
      if (!table || madeOtherwise.includes(name) || !columns.includes("realm_id")) continue;
      await takeRows(tx, name, [anyRow(table, world, personId)], { passesOver: true });
    }
  });
}
