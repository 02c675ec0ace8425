import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { calls } from "../support/api/calls/all-calls";
import { askFor, endpointNames, outcomeFor } from "../support/api/calls/call";
import { mailFlags } from "../support/api/calls/mail-calls";
import { jwtFlags } from "../support/servers/web-token";
import { makeWorld, Person, type World } from "../support/world";

/**
 * Answers for somebody who has not signed in, in an organization that is open to the web: what is
 * told elsewhere, but for these.
 */
const forSpectators: Record<string, string> = {
  "GET /users": "ok",
  "POST /register": "ok",
  // A public channel is not open to the web: its topics are answered like those of none.
  "GET /users/me/{stream_id}/topics": "400 BAD_REQUEST",
  // Of whoever shows up in what is open to the web.
  "GET the page /avatar/{user}": "ok",
  "GET the page /avatar/{user}/medium": "ok",
  "GET /thumbnail/status/{realm_id_str}/{filename}": "404 NOT_FOUND",
  "GET the page /user_uploads/{realm_id_str}/{filename}": "404",
  "GET the page /user_uploads/download/{realm_id_str}/{filename}": "404",
  "GET the page /user_uploads/thumbnail/{realm_id_str}/{filename}": "404",
};

let world: World;
beforeAll(async () => {
  world = await makeWorld({ ...mailFlags, ...jwtFlags, web_public_streams_enabled: "true" });
  await world.olga.patch("/realm", { enable_spectator_access: true });
});
afterAll(() => world.close());

describe("what a spectator gets from", () => {
  test.each(endpointNames)("%s", async (name) => {
    const call = calls[name];
    if (!call) throw new Error(`add a row "${name}" to test/support/calls`);
    const { site, alice } = world;
    const stranger = new Person(site, alice.host, alice.id, alice.email, alice.fullName);
    const outcome = await askFor(stranger, name, await call.prepare(world, stranger));
    expect(outcome).toBe(forSpectators[name] ?? outcomeFor(call.outcomes, "anonymous"));
  });
});

test("E9: the exceptions read, or open nothing", () => {
  const changing = Object.keys(forSpectators).filter((name) => !name.startsWith("GET "));
  expect(changing).toEqual(["POST /register"]);
  expect(Object.keys(forSpectators).filter((name) => !endpointNames.includes(name))).toEqual([]);
});
