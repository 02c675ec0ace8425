import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type Endpoint, endpoint, file, noFields } from "../../src/core/endpoint";
import { flag, optional, record, text, word } from "../../src/core/params";
import { openApi } from "../../src/http/openapi";
import { endpoints } from "../../src/server";
import { undeclaredIn } from "../support/api/declared-answers";

/*
 * The comparison of answers with declarations, which goes over every answer that the client of the
 * tests sees.
 */

const ok = { result: "success", msg: "" };
const ask = (method: string, path: string, body: object, status = 200) =>
  undeclaredIn({ method, path, parameters: {}, status, body });

test("an endpoint without a declared answer cannot be made", () => {
  const declaration = {
    method: "GET",
    path: "/soup",
    summary: "Soup.",
    who: "user",
    input: record({}),
    verb: async () => ({}),
  };
  const make: (declaration: object) => unknown = (one) => Reflect.apply(endpoint, undefined, [one]);
  expect(() => make(declaration)).toThrow("GET /soup must declare what it answers.");
  expect(make({ ...declaration, output: noFields })).toMatchObject({ path: "/soup" });
});

test("fields that are not declared, missing or of another type are found, at any depth, and words that are not among those declared", async () => {
  expect(await ask("GET", "/users/me/alert_words", { ...ok, alert_words: ["soup"] })).toEqual([]);
  const cases: [object, RegExp][] = [
    [{ ...ok, alert_words: ["soup"], surprise: 1 }, /\/surprise Unexpected property/],
    [ok, /\/alert_words Expected required property/],
    [{ ...ok, alert_words: [7] }, /\/alert_words\/0 Expected string/],
  ];
  for (const [body, complaint] of cases) {
    expect((await ask("GET", "/users/me/alert_words", body)).join("; ")).toMatch(complaint);
  }
  const draft = { id: 1, type: "stream", to: [7], topic: "lunch", content: "Soup?", timestamp: 1 };
  const drafts = (one: object) => ask("GET", "/drafts", { ...ok, count: 1, drafts: [one] });
  expect(await drafts(draft)).toEqual([]);
  expect((await drafts({ ...draft, soup: true })).join()).toContain(
    "/drafts/0/soup Unexpected property",
  );
  const presence = {
    aggregated: { status: "asleep", timestamp: 1 },
    website: { status: "idle", timestamp: 1 },
  };
  expect((await ask("GET", "/users/7/presence", { ...ok, presence })).join()).toContain(
    "/presence/aggregated/status",
  );
});

test("statuses that are not declared are found, and 200 of an endpoint that leads elsewhere", async () => {
  expect(await ask("GET", "/users", { result: "error", msg: "No." }, 418)).toEqual([
    "GET /users answers 418, undeclared",
  ]);
  expect(await ask("GET", "/users", { result: "error", msg: "No." }, 400)).toEqual([]);
  expect(await ask("GET", "/realm/icon", ok)).toEqual(["GET /realm/icon answers 200, undeclared"]);
});

test("events are compared with the kinds of them, and one that nobody declares is found", async () => {
  const poll = (...events: object[]) => ask("GET", "/events", { ...ok, queue_id: "q", events });
  expect(
    await poll({ id: 1, type: "heartbeat" }, { id: 2, type: "alert_words", alert_words: [] }),
  ).toEqual([]);
  expect(await poll({ id: 1, type: "weather" })).toEqual(["event weather is not declared"]);
  expect((await poll({ id: 1, type: "alert_words", alert_words: [], soup: 1 })).join()).toContain(
    "/soup Unexpected property",
  );
});

test("the document has every endpoint's answer, statuses and what is no JSON, and refuses two schemas with one title", () => {
  const paths = Object(openApi(endpoints)["paths"]);
  for (const { method, path } of endpoints) {
    const statuses = Object.keys(paths[path][method.toLowerCase()].responses);
    expect([path, statuses]).toEqual([
      path,
      expect.arrayContaining(["400", "401", "404", "413", "429", "500", "503"]),
    ]);
  }
  const soup = (title: string, fields: object): Endpoint =>
    endpoint({
      method: "GET",
      path: `/${title}`,
      summary: "Soup.",
      who: "user",
      input: record({ hot: optional(flag()), kind: optional(text()) }),
      output: Type.Object({ soup: Type.Object({ ...fields }, { title: "Soup" }) }),
      verb: async () => ({ soup: {} }),
    });
  const kinds = { kind: word("tomato", "leek") };
  expect(() => openApi([soup("one", kinds), soup("other", kinds)])).not.toThrow();
  expect(() => openApi([soup("one", kinds), soup("other", {})])).toThrow(
    "Two schemas have the title Soup.",
  );
  expect(file("image/png").contentTypes).toEqual(["image/png"]);
});
