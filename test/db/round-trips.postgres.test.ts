import { expect, test } from "bun:test";
import { connect } from "node:net";
import { openConnections, waysTo } from "../../db/postgres-client";
import { dropDatabase, freshDatabase } from "../support/postgres";

test("a statement goes to PostgreSQL in one round trip, also where the connection sees it for the first time", async () => {
  const url = await freshDatabase();
  let sent = 0;
  waysTo.set(url, ({ host: [host = ""], port: [port = 0] }) => {
    const socket = connect(port, host);
    const { write } = socket;
    return Object.assign(socket, {
      write: (...args: Parameters<typeof write>) => {
        sent += 1;
        return write.apply(socket, args);
      },
    });
  });
  const { client, end } = openConnections(url, { max: 1 });
  await client`SELECT 1`;
  const values = [7, 2 ** 40, "text", null, true, Buffer.from([0, 255]), '{"a":1}'];
  const sql = `SELECT $1::int AS small, $2::bigint AS large, $3::text AS words, $4::int AS nothing,
    $5::boolean AS flag, $6::bytea AS bytes, $7::jsonb AS json`;
  const answers: unknown[] = [];
  for (const prepare of [false, true, true]) {
    const before = sent;
    answers.push(...(await client.unsafe(sql, [...values], { prepare })));
    expect(sent).toBe(before + 1);
  }
  const row = {
    small: 7,
    large: String(2 ** 40),
    words: "text",
    nothing: null,
    flag: true,
    bytes: Buffer.from([0, 255]),
    json: { a: 1 },
  };
  expect(answers).toEqual([row, row, row]);
  const sums = [1, 2, 3].map((n) =>
    client.unsafe("SELECT $1::int + 1 AS sum", [n], { prepare: true }),
  );
  expect((await Promise.all(sums)).map(([row]) => row?.["sum"])).toEqual([2, 3, 4]);
  await end();
  waysTo.delete(url);
  await dropDatabase(url);
});
