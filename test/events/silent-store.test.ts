import { afterEach, beforeEach, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { noteStrayIn } from "../../src/files/stray";
import { until } from "../support/polls";
import { makeWorld, type World } from "../support/world";

/** A file store that takes requests and answers none. */
let store: Bun.Server<undefined>;
let requests: number;
let world: World;
beforeEach(async () => {
  requests = 0;
  store = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch() {
      requests++;
      return new Promise<Response>(() => {});
    },
  });
  world = await makeWorld({
    file_store: "s3",
    s3_endpoint: `http://127.0.0.1:${store.port}`,
    s3_bucket: "files",
    s3_region: "here",
    s3_access_key_id: "id",
    s3_secret_access_key: "secret",
  });
});
afterEach(async () => {
  await store.stop(true);
  await world.close();
});

test("while a file store does not answer, it is still saved when queues were polled", async () => {
  const { app, bob, clock, realm } = world;
  const now = clock.now();
  await write({ app, realm, now }, (tx) =>
    noteStrayIn(tx, realm.id, [`${realm.id}/ab/cdefgaaaaaaaaaaaaaaaa`], now - 3_600),
  );
  const queue = await bob.register({ event_types: ["message"] });
  clock.advance(60);
  await until(() => requests === 1);
  clock.advance(1);
  expect(await queue.events()).toEqual([]);
  const polledAt = clock.now();
  clock.advance(59);
  const { db, t } = app.engine.reader;
  await until(async () => {
    const rows = await db.select({ lastSeen: t.eventQueues.lastSeen }).from(t.eventQueues);
    return rows.every(({ lastSeen }) => lastSeen === polledAt);
  });
});
