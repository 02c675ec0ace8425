import { afterEach, beforeEach, expect, test } from "bun:test";
import postgres from "postgres";
import { findDamage } from "../../db/find-damage";
import { type FreshPlace, freshPlace } from "../support/databases/storage";

/* Indexes of PostgreSQL, as `chatd admin check` looks at them for an ordinary role. */

let place: FreshPlace;
let admin: postgres.Sql;
let role: string;
let url: string;

beforeEach(async () => {
  place = await freshPlace();
  const own = new URL(place.databaseUrl ?? "");
  admin = postgres(own.href, { max: 1, onnotice: () => undefined });
  role = `ordinary-${crypto.randomUUID()}`;
  await admin`CREATE ROLE ${admin(role)} LOGIN`;
  await admin.unsafe(`ALTER ROLE "${role}" PASSWORD '${own.password}'`);
  await admin`CREATE SCHEMA own AUTHORIZATION ${admin(role)}`;
  await admin`ALTER ROLE ${admin(role)} SET search_path = own`;
  await admin`CREATE TABLE own.things (id bigint PRIMARY KEY)`;
  await admin`CREATE TABLE public.of_another_program (id bigint PRIMARY KEY)`;
  own.username = encodeURIComponent(role);
  url = own.href;
});

afterEach(async () => {
  await admin`DROP OWNED BY ${admin(role)} CASCADE`;
  await admin`DROP ROLE ${admin(role)}`;
  await admin.end();
  await place.remove();
});

/** The answer of the check, and the indexes that it looked at. */
async function look() {
  const indexes: string[] = [];
  const found = await findDamage({ ...place, databaseUrl: url }, (index) => indexes.push(index));
  return { ...found, indexes };
}

const allow = () => admin.unsafe(`GRANT EXECUTE ON FUNCTION bt_index_check(regclass) TO "${role}"`);

test("an extension that is not installed, or that the role may not use, is no damage, and one is told what to do", async () => {
  const { findings, notLookedAt } = await look();
  expect([findings, notLookedAt]).toEqual([
    [],
    expect.stringContaining("CREATE EXTENSION amcheck"),
  ]);
  await admin`CREATE EXTENSION amcheck SCHEMA public`;
  const refused = await look();
  expect([refused.findings, refused.notLookedAt]).toEqual([
    [],
    expect.stringContaining(`GRANT EXECUTE ON FUNCTION bt_index_check(regclass) TO "${role}"`),
  ]);
  await allow();
  expect(await look()).toEqual({ findings: [], indexes: ["things_pkey"] });
});

test("an index in the wrong order is damage, and one that was never finished is not", async () => {
  await admin`CREATE EXTENSION amcheck SCHEMA public`;
  await allow();
  const compare = (order: string) =>
    admin.unsafe(`CREATE OR REPLACE FUNCTION own.compare(bigint, bigint) RETURNS int
      LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN $1 = $2 THEN 0 WHEN $1 ${order} $2 THEN -1 ELSE 1 END'`);
  await compare("<");
  await admin.unsafe(`CREATE OPERATOR CLASS own.turned FOR TYPE bigint USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
    FUNCTION 1 own.compare(bigint, bigint)`);
  await admin`CREATE INDEX things_turned ON own.things (id own.turned)`;
  await admin`INSERT INTO own.things SELECT generate_series(1, 10)`;
  await admin`CREATE INDEX unfinished ON own.things (id)`;
  await admin`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'own.unfinished'::regclass`;
  await compare(">");
  expect(await look()).toMatchObject({
    findings: [expect.stringMatching(/^things_turned: item order invariant violated/)],
    indexes: ["things_pkey", "things_turned"],
  });
});

test("a connection that ends is no damage: the check has failed", async () => {
  await admin`CREATE EXTENSION amcheck SCHEMA public`;
  await allow();
  await admin.unsafe(`CREATE FUNCTION own.ends(bigint, bigint) RETURNS int LANGUAGE plpgsql IMMUTABLE
    AS 'BEGIN RETURN 0; END'`);
  await admin.unsafe(`CREATE OPERATOR CLASS own.ending FOR TYPE bigint USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
    FUNCTION 1 own.ends(bigint, bigint)`);
  await admin`INSERT INTO own.things SELECT generate_series(1, 10)`;
  await admin`CREATE INDEX things_ending ON own.things (id own.ending)`;
  await admin.unsafe(`CREATE OR REPLACE FUNCTION own.ends(bigint, bigint) RETURNS int LANGUAGE plpgsql IMMUTABLE
    AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN 0; END'`);
  const outcome = await look().then(
    () => "looked",
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Error);
});
