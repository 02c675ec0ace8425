import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { upload } from "../support/files";
import { chatd, clientOf, freshFolder, places, type Server, serve } from "./chatd";

/* `chatd admin doctor` beside nodes that lack a file, or whose clock differs. */

const flagIn = (place: string[], flag: string) => place[place.indexOf(flag) + 1] ?? "";

async function examined(place: string[], env: Record<string, string> = {}) {
  const args = ["admin", "doctor", "--json", "--offline", ...place];
  const { stdout, stderr } = await chatd(args, { env });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout).findings;
}

describe.each(places)("on $engine", ({ engine, provisioned }) => {
  test("files that the data names and the folder does not have are told", async () => {
    const { place, credentials } = await provisioned();
    const secret = readFileSync(join(flagIn(place, "--data"), "secret"), "utf8").trim();
    const server = await serve(place);
    const alice = clientOf(server.site, credentials, "alice");
    for (const name of ["one.txt", "two.txt"]) await upload(alice, name, `this is ${name}`);
    expect(await examined(place, { CHATD_SECRET: secret })).toEqual([]);
    const lacking = engine === "sqlite" ? place : ["--data", freshFolder(), ...place.slice(2)];
    const files = join(flagIn(lacking, "--data"), "files");
    rmSync(files, { recursive: true, force: true });
    const cause = engine === "sqlite" ? "they are lost" : "another node has them";
    expect(await examined(lacking, { CHATD_SECRET: secret })).toMatchObject([
      {
        check: "files",
        what: expect.stringContaining(
          `2 of the 2 newest files of localhost are not in ${files}: ${cause}`,
        ),
        page: "docs/files.md",
      },
    ]);
    await server.kill();
  });
});

const [, ...onPostgres] = places;

describe.each(onPostgres)("on $engine", ({ provisioned }) => {
  /** Lets the clock of a database be ahead, as those of two machines differ. */
  async function setAhead(url: string, seconds: number) {
    const client = postgres(url, { max: 1, onnotice: () => undefined });
    const name = new URL(url).pathname.slice(1);
    await client.unsafe(
      `CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
        AS $$ SELECT pg_catalog.clock_timestamp() + interval '${seconds} s' $$;
      ALTER DATABASE "${name}" SET search_path = public, pg_catalog`,
    );
    await client.end();
  }

  test("statistics of PostgreSQL that are older than most rows are told", async () => {
    const { place } = await provisioned();
    const secret = readFileSync(join(flagIn(place, "--data"), "secret"), "utf8").trim();
    const env = { CHATD_SECRET: secret };
    const url = /"(postgres:.*)"/.exec(readFileSync(flagIn(place, "--config"), "utf8"))?.[1] ?? "";
    async function run(statement: string) {
      const client = postgres(url, { max: 1, onnotice: () => undefined });
      await client.unsafe(statement);
      await client.end();
    }
    await run(
      `INSERT INTO message_words (realm_id, message_id, words)
         SELECT 1, i, ''::tsvector FROM generate_series(1000, 61000) AS n(i)`,
    );
    expect(await examined(place, env)).toMatchObject([
      {
        check: "statistics",
        what: expect.stringContaining("statistics of message_words are older"),
      },
    ]);
    await run("ANALYZE");
    expect(await examined(place, env)).toEqual([]);
  });

  test("a clock that differs from PostgreSQL's is told, by a server that starts too", async () => {
    const { place } = await provisioned();
    const secret = readFileSync(join(flagIn(place, "--data"), "secret"), "utf8").trim();
    const env = { CHATD_SECRET: secret };
    const config = readFileSync(flagIn(place, "--config"), "utf8");
    const url = /"(postgres:.*)"/.exec(config)?.[1] ?? "";
    await setAhead(url, 30);
    const found = await examined(place, env);
    expect(found).toMatchObject([
      { check: "clock", what: expect.stringContaining("and that of PostgreSQL ") },
    ]);
    const server: Server = await serve(place);
    const line = await server.logged("clock_differs");
    expect(line.level).toBe("warn");
    expect(line.seconds).toBeWithin(-30, -10);
    await server.stop();
    await setAhead(url, 5);
    expect(await examined(place, env)).toEqual([]);
  });
});
