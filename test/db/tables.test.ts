import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eq, getTableName, type Table } from "drizzle-orm";
import { schemaOf } from "../../db/schema";
import { allTables, exportedTables, isExported, isNumbered } from "../../db/schema/tables";
import { findTraits, type Holding } from "../../db/schema/traits";
import { deleteUser } from "../../src/management/accounts/delete";
import { deactivateRealm } from "../../src/management/organization/deactivate";
import { deleteDueRealms } from "../../src/management/organization/delete";
import { fillTables, isPerson, personColumn } from "../support/databases/any-row";
import { root } from "../support/root";
import { makeWorld } from "../support/world";

const holdings = (wanted = allTables()) =>
  wanted.flatMap((table) =>
    Object.entries(table.holds).map(([column, holding]) => ({ table, column, holding })),
  );
const placeOf = ({ table, column }: { table: { name: string }; column: string }) =>
  `${table.name}.${column}`;
const namesPeople = ({ is }: Holding) => is === "people" || is === "peopleJson";

describe("a table says what it is", () => {
  test("and stands in the schema", () => {
    const folder = join(root, "db/schema");
    const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
    const declared = texts.flatMap((text) =>
      [...text.matchAll(/[tT]able\(\s*"([a-z_]+)"/g)].map(([, name = ""]) => name),
    );
    const known: string[] = allTables().map(({ name }) => name);
    expect([...new Set(declared)].sort()).toEqual(known.sort());
    for (const table of Object.values(schemaOf("postgres")))
      expect(findTraits(table)).toBeDefined();
  });

  test("and what is in its columns, above all in those that are named like ids", () => {
    const silent = allTables().flatMap(({ name, columns, holds }) =>
      columns
        .filter((column) => /_ids?$/.test(column) && column !== "realm_id" && !holds[column])
        .map((column) => `${name}.${column}`),
    );
    expect(silent).toEqual([]);
    const strange = holdings().filter(({ table, column }) => !table.columns.includes(column));
    expect(strange.map(placeOf)).toEqual([]);
  });

  test("with ids of rows that are there, and that move with it", () => {
    const numbered = allTables().filter(({ columns }) => columns.includes("id"));
    const strange = holdings().filter(
      ({ table, holding }) =>
        holding.is === "id" &&
        !(isExported(table.name)
          ? isNumbered(holding.of)
          : numbered.some(({ name }) => name === holding.of)),
    );
    expect(strange.map(placeOf)).toEqual([]);
  });

  test("with what its rows cannot be without before it, since they are taken in so", () => {
    const order: string[] = exportedTables().map(({ name }) => name);
    const early = holdings([...exportedTables()]).filter(
      ({ table, holding }) =>
        holding.is === "id" &&
        !holding.nullIfGone &&
        !holding.zero &&
        order.indexOf(holding.of) > order.indexOf(table.name),
    );
    expect(early.map(placeOf)).toEqual([]);
    const sourceless = holdings().filter(({ table: { holds }, column, holding }) => {
      const before = Object.keys(holds).slice(0, Object.keys(holds).indexOf(column));
      return holding.is === "html" && !before.includes(holding.from);
    });
    expect(sourceless.map(placeOf)).toEqual([]);
  });

  test("and whose it is: of an organization, but for what is of the server", () => {
    const ofNone = allTables().filter(({ columns }) => !columns.includes("realm_id"));
    expect(ofNone.map(({ name, traits }) => [name, traits.of])).toEqual([
      ["realms", "realm"],
      ["server_facts", "server"],
      // SQLite has one index for all.
      ["message_words", "nobody"],
    ]);
    const ownColumn = { channel: "channel_id", conversation: "conversation_id", person: "user_id" };
    const lost = exportedTables().filter(({ name, columns, traits: { of } }) => {
      const column = of === "message" ? "message_id" : Reflect.get(ownColumn, of);
      const isItself = `${of}s` === name || name === "attachments";
      return column !== undefined && !isItself && !columns.includes(column);
    });
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  test("and what becomes of it when a person is deleted whom it names", () => {
    const wrong = allTables().filter(({ name, traits, holds }) => {
      const names = Object.values(holds).some((one) => isPerson(one) || namesPeople(one));
      return (names || name === "users") !== (traits.onPersonDeleted !== undefined);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    const removed = Object.values(schemaOf("sqlite")).filter(
      (table) => findTraits(table)?.onPersonDeleted === "remove",
    );
    expect(removed.filter((table) => personColumn(table) !== "userId").map(getTableName)).toEqual(
      [],
    );
  });

  test("and what becomes of it when a message is deleted whose id it holds", () => {
    const wrong = allTables().filter(
      ({ traits }) =>
        "messageId" in (traits.holds ?? {}) !== (traits.onMessageDeleted !== undefined),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

/** The tables in which somebody has rows, by what is to become of those. */
async function tablesOf(
  { app }: Awaited<ReturnType<typeof makeWorld>>,
  personId: number,
): Promise<{ kept: string[]; others: string[] }> {
  const { db, t } = app.engine.reader;
  const found: { kept: string[]; others: string[] } = { kept: [], others: [] };
  for (const table of Object.values(t)) {
    const column = Reflect.get(table, personColumn(table) ?? "");
    if (column === undefined) continue;
    const [row] = await db.select().from(table).where(eq(column, personId)).limit(1);
    const isKept = typeof findTraits(table)?.onPersonDeleted === "object";
    if (row) (isKept ? found.kept : found.others).push(getTableName(table as Table));
  }
  return found;
}

describe("with rows in every table", () => {
  test("a person who is deleted leaves those that are to be kept, and no others", async () => {
    const world = await makeWorld();
    const { id } = world.bob;
    await world.bob.say("general", "soup", "leek");
    await fillTables(world, id);
    const before = await tablesOf(world, id);
    const named = allTables().filter(({ holds }) => Object.values(holds).some(isPerson));
    expect(before.kept.length + before.others.length).toBe(named.length - 1);
    await deleteUser(world.operator, id);
    expect(await tablesOf(world, id)).toEqual({ kept: before.kept, others: [] });
    await world.close();
  });

  test("an organization that is deleted leaves none, and the other one has all of its own", async () => {
    const world = await makeWorld();
    const { app, olga, clock, realm } = world;
    await olga.say("general", "soup", "leek");
    await fillTables(world, olga.id);
    await deactivateRealm(world.operator, { deletionDelayDays: 20 });
    clock.advance(20 * 86_400);
    await deleteDueRealms(app);
    const { db, t } = app.engine.reader;
    for (const table of Object.values(t)) {
      if (!("realmId" in table)) continue;
      const rows = await db.select({ realmId: table.realmId }).from(table);
      expect(rows.filter(({ realmId }) => realmId === realm.id)).toEqual([]);
    }
    expect(await db.select({ host: t.realms.host }).from(t.realms)).toHaveLength(1);
    await world.close();
  });
});
