import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "../support/client";
import { verify } from "../support/client-state/verify";
import { jwtFlags, makeWebToken } from "../support/servers/web-token";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeAll(async () => {
  world = await makeWorld(jwtFlags);
});
afterAll(() => world.close());

const fetchKey = (token: string, more = {}, { anonymous } = world) =>
  anonymous.post("/jwt/fetch_api_key", { token, ...more });
const now = () => world.clock.now();

describe("a token of a program that the server trusts", () => {
  test("gives the person whom it names a key that works", async () => {
    const { alice, site } = world;
    const token = makeWebToken({ email: alice.email.toUpperCase(), exp: now() + 60 });
    await verify(world, async () => {
      const { status, body } = await fetchKey(token);
      expect(status).toBe(200);
      const { api_key: apiKey, email } = body;
      expect(body).toEqual({ result: "success", msg: "", api_key: apiKey, email: alice.email });
      const program = new Client(site, worldHost, { email, apiKey });
      expect((await program.get("/users/me")).body).toMatchObject({ user_id: alice.id });
    });
  });

  test("brings the profile where it is wanted", async () => {
    const { alice } = world;
    const token = makeWebToken({ email: alice.email, aud: ["elsewhere", worldHost] });
    const { body } = await fetchKey(token, { include_profile: true });
    const { user_id, full_name, profile_data } = (await alice.get("/users/me")).body;
    expect(body.user).toMatchObject({ user_id, full_name, profile_data });
  });

  test("is nobody's, where it names a bot or nobody of this organization", async () => {
    for (const email of ["nobody@example.com", world.robot.email, world.zoe.email]) {
      const { status, body } = await fetchKey(makeWebToken({ email }));
      expect({ status, code: body.code }).toEqual({ status: 401, code: "AUTHENTICATION_FAILED" });
    }
  });

  test("opens no account by the address that stands for one whose own address is hidden", async () => {
    const email = `user${world.alice.id}@${worldHost}`;
    const { status, body } = await fetchKey(makeWebToken({ email }));
    expect({ status, code: body.code }).toEqual({ status: 401, code: "AUTHENTICATION_FAILED" });
  });

  test("C4: opens no deactivated account", async () => {
    const { body: added } = await world.olga.post("/users", {
      email: "gone@example.com",
      password: "correct-horse-battery",
      full_name: "Gone",
    });
    await world.olga.delete(`/users/${added.user_id}`);
    const { status, body } = await fetchKey(makeWebToken({ email: "gone@example.com" }));
    expect({ status, code: body.code }).toEqual({ status: 401, code: "USER_DEACTIVATED" });
  });

  const signedWrong = "The token is not valid: it has to be signed by HS256 with jwt_secret.";
  const email = "alice@example.com";
  const [head, body, signature] = makeWebToken({ email }).split(".");
  const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  test.each<[string, (at: number) => string, string]>([
    ["is no token", () => "x.y", signedWrong],
    ["is empty", () => "", signedWrong],
    ["is very long", () => `${head}.${"a".repeat(9_000)}.${signature}`, signedWrong],
    ["has another key", () => makeWebToken({ email }, { secret: "x".repeat(40) }), signedWrong],
    ["has no signature", () => `${head}.${body}.`, signedWrong],
    ["says that it has none", () => `${unsigned}.${body}.`, signedWrong],
    ["has another one's signature", () => `${head}.${body}x.${signature}`, signedWrong],
    [
      "names another algorithm",
      () => makeWebToken({ email }, { head: { alg: "HS512" }, hash: "sha512" }),
      signedWrong,
    ],
    [
      "has an extension that it calls critical",
      () => makeWebToken({ email }, { head: { alg: "HS256", crit: ["b64"] } }),
      signedWrong,
    ],
    ["is over", (at) => makeWebToken({ email, exp: at }), "The token has expired: make a new one."],
    [
      "has an end that is no number",
      () => makeWebToken({ email, exp: "never" }),
      "The token has expired: make a new one.",
    ],
    [
      "has not begun",
      (at) => makeWebToken({ email, nbf: at + 1 }),
      "The token is not valid yet: its 'nbf' is in the future.",
    ],
    [
      "is for another server",
      () => makeWebToken({ email, aud: "elsewhere" }),
      `The token is for another organization or server: its 'aud' is not ${worldHost}.`,
    ],
    ["names nobody", () => makeWebToken({ sub: email }), "The token has no 'email'."],
    ["is a list", () => makeWebToken([email]), "The token has no 'email'."],
  ])("is refused where it %s", async (_how, make, msg) => {
    const { status, body: refusal } = await fetchKey(make(now()));
    expect({ status, code: refusal.code, msg: refusal.msg }).toEqual({
      status: 400,
      code: "BAD_REQUEST",
      msg,
    });
  });
});

test("a server without jwt_secret signs nobody in by a token", async () => {
  const other = await makeWorld();
  try {
    const token = makeWebToken({ email: other.alice.email });
    const { status, body } = await fetchKey(token, {}, other);
    expect({ status, msg: body.msg }).toEqual({
      status: 400,
      msg: "This server does not accept tokens for sign-in.",
    });
  } finally {
    await other.close();
  }
});
