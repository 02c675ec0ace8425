import { describe, expect, test } from "bun:test";
import { makeElysia } from "../../src/http/elysia";
import { mountEndpoints } from "../../src/http/mount";
import { makePort } from "../../src/http/port";
import { RequestGate } from "../../src/http/request-gate";
import { endpoints } from "../../src/server";
import { type Exchange, loadApiFacts, readRoutes } from "../support/api/api-facts";
import { bestOf } from "../support/api/api-schema";

const check = loadApiFacts();

const ok = { result: "success", msg: "" };

/** Complaints of the check about an answer. */
const mismatches = (
  method: string,
  path: string,
  body: object,
  more: Partial<Exchange> = {},
): string[] => check?.({ method, path, parameters: {}, status: 200, body, ...more }) ?? [];

const refused = (status: number, body: object) => mismatches("POST", "/messages", body, { status });

const poll = (...events: object[]) =>
  mismatches("GET", "/events", { ...ok, queue_id: "q", events }, { parameters: { queue_id: "q" } });

const typing = {
  type: "typing",
  op: "start",
  message_type: "direct",
  sender: { user_id: 1, email: "a@b" },
};

test("no path of the protocol is taken for an id of another one", async () => {
  const { note } = makePort({}, new RequestGate(), () => "", {});
  const elysia = makeElysia({
    note,
    pass: (answer, request) => answer(request),
    answerError: () => new Response(null),
  });
  mountEndpoints(elysia, endpoints, "", async ({ path }) => new Response(path), note);
  const paths = readRoutes().filter(({ kind }) => kind === "api");
  expect(paths.length).toBeGreaterThan(150);
  const parametersIn = (path: string) => path.split("{").length - 1;
  const taken: string[] = [];
  for (const { method, path } of paths) {
    const request = new Request(`http://localhost${path.replaceAll(/\{\w+\}/g, "1")}`, { method });
    const answer = await elysia.handle(request);
    if (answer.ok && parametersIn(await answer.text()) > parametersIn(path))
      taken.push(`${method} ${path}`);
  }
  expect(taken).toEqual([]);
});

describe("the check of answers against the protocol's facts", () => {
  test("is not made of a choice without forms, which any value would fit", () => {
    expect(() => bestOf([], "anything")).toThrow("no forms");
  });

  test("finds what is missing, of another type, unknown or beyond its level in an answer", () => {
    expect(mismatches("GET", "/get_stream_id", { ...ok, stream_id: 1 })).toEqual([]);
    expect(mismatches("GET", "/get_stream_id", ok)).toEqual([
      "GET /get_stream_id: stream_id is missing",
    ]);
    expect(mismatches("GET", "/get_stream_id", { ...ok, stream_id: "1" })).toEqual([
      "GET /get_stream_id: stream_id must be integer, is string",
    ]);
    expect(mismatches("GET", "/get_stream_id", { ...ok, stream_id: 1, name: "x" })).toEqual([
      "GET /get_stream_id: name is not known",
    ]);
    expect(mismatches("GET", "/users/7", { ...ok, user: { user_id: null } })).toContain(
      "GET /users/{user_id}: user.user_id must not be null",
    );
    expect(mismatches("GET", "/nowhere", ok)).toEqual([
      "GET /nowhere: is the answer of an operation that the protocol does not have",
    ]);
  });

  test("finds what is wrong with a refusal: its envelope, its code, its status and its fields", () => {
    expect(refused(400, { result: "error", msg: "No.", code: "BAD_REQUEST" })).toEqual([]);
    expect(refused(400, { result: "error", msg: "No.", code: "NO_WAY" })).toEqual([
      'POST /messages: code "NO_WAY" is not known',
    ]);
    expect(refused(403, { result: "error", msg: "No.", code: "UNAUTHORIZED" })).toEqual([
      "POST /messages: UNAUTHORIZED with status 403",
    ]);
    expect(refused(400, { result: "error", msg: "No.", code: "BAD_EVENT_QUEUE_ID" })).toEqual([
      "POST /messages: queue_id is missing with BAD_EVENT_QUEUE_ID",
    ]);
    expect(refused(400, { result: "success", msg: "", code: "BAD_REQUEST", why: 1 })).toEqual([
      'POST /messages: result of a refusal must be "error", is "success"',
      "POST /messages: msg of a refusal must say what is wrong",
      "POST /messages: why with BAD_REQUEST is not known",
    ]);
  });

  test("finds what is wrong with events: their shape, their kind and their order", () => {
    expect(poll({ id: 1, ...typing, recipients: [] }, { id: 2, type: "heartbeat" })).toEqual([]);
    expect(poll({ id: 1, ...typing })).toEqual([
      "event typing/start: recipients is missing where message_type=direct",
    ]);
    expect(poll({ id: 1, type: "weather" })).toEqual(["event weather: is not known at level 481"]);
    expect(poll({ id: 2, type: "heartbeat" }, { id: 2, type: "heartbeat" })).toEqual([
      "GET /events: brings events whose ids do not increase",
    ]);
  });

  test("expects of register what was asked for, and nothing else", () => {
    const always = {
      queue_id: "q",
      last_event_id: -1,
      zulip_feature_level: 481,
      zulip_version: "12.0",
    };
    const state = { ...ok, ...always, zulip_merge_base: "12.0" };
    const register = (body: object) =>
      mismatches("POST", "/register", body, { parameters: { fetch_event_types: ["alert_words"] } });
    const found = register({ ...state, drafts: [] });
    expect(found).toContain("POST /register: alert_words is missing");
    expect(found).toContain("POST /register: drafts was not asked for");
    expect(register({ ...state, alert_words: [1] })).toContain(
      "POST /register: alert_words[] must be string, is integer",
    );
  });

  test("takes the specification's spelling of the two rebranded names for the protocol's", () => {
    const event = {
      id: 1,
      type: "reaction",
      op: "add",
      message_id: 1,
      user_id: 1,
      emoji_name: "x",
      emoji_code: "x",
    };
    expect(poll({ ...event, reaction_type: "service_extra_emoji" })).toEqual([]);
    expect(poll({ ...event, reaction_type: "our_emoji" })).toHaveLength(1);
  });
});
