import { describe, expect, test } from "bun:test";
import { shareWorld } from "../support/shared-world";
import { type World, worldHost } from "../support/world";

/** Clients whose user has given an address that ends with a slash, to which they add a path. */

let world: World;
const ownWorld = shareWorld((given) => {
  world = given;
});

const basic = () => {
  const { email = "", apiKey = "" } = world.alice.credentials ?? {};
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
};

const fetchAt = (path: string, init: RequestInit = {}) =>
  fetch(`${world.site}${path}`, {
    redirect: "manual",
    ...init,
    headers: { host: worldHost, ...init.headers },
  });

const asAlice = (path: string, init: RequestInit = {}) =>
  fetchAt(path, { ...init, headers: { authorization: basic(), ...init.headers } });

describe("A path with several slashes in a row", () => {
  test("is the path with one, for every method, and a message is sent once", async () => {
    const { alice } = await ownWorld();
    const settings = await fetchAt("//api/v1/server_settings");
    expect([settings.status, (await settings.json()).realm_name]).toEqual([200, "Acme"]);
    const form = { type: "channel", to: "general", topic: "slashes", content: "a // b" };
    const body = new URLSearchParams(form);
    const sent = await asAlice("///api/v1//messages", { method: "POST", body });
    expect(sent.status).toBe(200);
    const { id } = await sent.json();
    const read = await asAlice(`//api/v1/messages//${id}?apply_markdown=false`);
    expect((await read.json()).message.content).toBe("a // b");
    const options = await fetchAt("//api/v1//users", { method: "OPTIONS" });
    expect(options.headers.get("allow")).toBe("GET, HEAD, POST");
    expect((await fetchAt("//api/v1//server_settings", { method: "HEAD" })).status).toBe(200);
    const { body: found } = await alice.get("/messages", {
      anchor: "newest",
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: "topic", operand: "slashes" }],
    });
    expect(found.messages).toHaveLength(1);
  });

  test("that lacks a part between slashes is not taken for a path with an empty part", async () => {
    const answersAt = async (path: string) => {
      const { status, headers } = await asAlice(path, { method: "PUT" });
      return [status, headers.get("allow")];
    };
    const at = await answersAt("/api/v1/users/presence");
    expect(at[0]).toBe(405);
    expect(await answersAt("/api/v1/users//presence")).toEqual(at);
    expect((await fetchAt("/api/v1/users//")).status).toBe(404);
  });

  test("keeps slashes of the query, and those that are percent-encoded", async () => {
    const answer = await asAlice("/api/v1//users/me?surprise=//&another=https://a//b");
    expect((await answer.json()).ignored_parameters_unsupported).toEqual(["surprise", "another"]);
    const plain = await asAlice("/api/v1/users/me?a//b=1");
    expect((await plain.json()).ignored_parameters_unsupported).toEqual(["a//b"]);
    const encoded = await asAlice("//api/v1/users/a%2F%2Fb@example.com");
    expect((await encoded.json()).code).not.toBe("NOT_FOUND");
    expect((await fetchAt("/api%2F%2Fv1/server_settings")).status).toBe(404);
    expect((await fetchAt("/%2Fapi/v1/server_settings")).status).toBe(404);
  });

  test("needs the sign-in that the path with one needs, and is refused in the same form", async () => {
    for (const path of ["/users", "/messages", "/events", "/realm/emoji", "/register"]) {
      const headers = { accept: "text/html,application/json" };
      const [one, many] = [
        await fetchAt(`/api/v1${path}`, { headers }),
        await fetchAt(`//api/v1/${path}`, { headers }),
      ];
      expect([path, many.status]).toEqual([path, one.status]);
      expect(many.headers.get("content-type")).toBe(one.headers.get("content-type"));
      expect((await many.json()).code).toBe((await one.json()).code);
    }
  });

  test("of a page or a file leads to the sign-in and back to the path with one", async () => {
    const headers = { accept: "text/html" };
    const file = await fetchAt("//user_uploads//1/ab/none.txt", { headers });
    expect([file.status, file.headers.get("location")]).toEqual([
      303,
      "/login?next=%2Fuser_uploads%2F1%2Fab%2Fnone.txt",
    ]);
    const page = await fetchAt("//", { headers });
    expect([page.status, page.headers.get("location")]).toEqual([303, "/login?next=%2F"]);
  });

  test("that looks like the address of another server leads nowhere", async () => {
    for (const path of ["//evil.example", "//evil.example/api/v1/users", "/\\evil.example"]) {
      const answer = await fetchAt(path, { headers: { accept: "text/html" } });
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 404, null]);
    }
  });

  test("reaches nothing outside the folder of a file", async () => {
    for (const path of ["/static//..//..//package.json", "//static/%2e%2e//%2e%2e/package.json"])
      expect((await fetchAt(path)).status).toBe(404);
    expect((await fetchAt("//static//style.css")).status).toBe(200);
  });

  test("counts for the rate limits like the path with one", async () => {
    await ownWorld({ requests_per_minute_per_user: "3" });
    const remaining: (string | null)[] = [];
    for (const path of ["/api/v1/users/me", "//api/v1/users/me", "/api/v1//users/me"])
      remaining.push((await asAlice(path)).headers.get("x-ratelimit-remaining"));
    expect(remaining).toEqual(["2", "1", "0"]);
    expect((await asAlice("//api//v1/users/me")).status).toBe(429);
  });
});
