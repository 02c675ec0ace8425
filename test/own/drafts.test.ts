import { describe, expect, test } from "bun:test";
import { newPerson } from "../support/api/calls/things";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type World } from "../support/world";

let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld();
  },
  () => world.close(),
);

const free = (content: string, more = {}) => ({ type: "", to: [], topic: "", content, ...more });
const only = { event_types: ["drafts"] };

test("drafts are stored in their order, stamped, told to one's own clients and to nobody else", async () => {
  const { alice, bob, clock, channels } = world;
  const [own, others] = [await alice.register(only), await bob.register(only)];
  const { status, body } = await alice.post("/drafts", {
    drafts: [
      {
        type: "stream",
        to: [channels.general],
        topic: " lunch ",
        content: "one\n",
        timestamp: 1_700_000_000,
      },
      { type: "private", to: [bob.id, alice.id], topic: "ignored", content: "two" },
      free("three", { topic: "ignored" }),
    ],
  });
  const [first, second, third] = body.ids;
  const stored = [
    {
      id: first,
      type: "stream",
      to: [channels.general],
      topic: "lunch",
      content: "one",
      timestamp: 1_700_000_000,
    },
    {
      id: second,
      type: "private",
      to: [bob.id],
      topic: "",
      content: "two",
      timestamp: clock.now(),
    },
    { id: third, type: "", to: [], topic: "", content: "three", timestamp: clock.now() },
  ];
  expect(status).toBe(200);
  expect((await alice.get("/drafts")).body).toMatchObject({ count: 3, drafts: stored });
  expect(await own.events()).toMatchObject([{ type: "drafts", op: "add", drafts: stored }]);
  expect(await others.events()).toEqual([]);
  expect((await bob.get("/drafts")).body).toMatchObject({ count: 0, drafts: [] });
  expect((await alice.register(only)).state.drafts).toEqual([stored[2], stored[1], stored[0]]);
});

test("a draft keeps its indentation and loses blank lines and blanks at its end, its time the fraction of a second; without a time it has that of the moment", async () => {
  const { alice, clock, channels } = world;
  const queue = await alice.register(only);
  const inTopic = { type: "stream", to: [channels.general], topic: "t" };
  const { status, body } = await alice.post("/drafts", {
    drafts: [
      { ...inTopic, content: "\n  \t code\n  indented\n\n ", timestamp: 1_700_000_000.99 },
      free("null", { timestamp: null }),
      free("zero", { timestamp: 0.5 }),
    ],
  });
  const stored = [
    { id: body.ids[2], content: "zero", timestamp: 0 },
    { id: body.ids[0], content: "  \t code\n  indented", timestamp: 1_700_000_000 },
    { id: body.ids[1], content: "null", timestamp: clock.now() },
  ];
  expect(status).toBe(200);
  expect((await alice.get("/drafts")).body.drafts).toMatchObject(stored);
  expect(await queue.events()).toMatchObject([
    { op: "add", drafts: [stored[1], stored[2], stored[0]] },
  ]);
  const draft = free("  edited ", { timestamp: 7.25 });
  expect((await alice.patch(`/drafts/${body.ids[0]}`, { draft })).status).toBe(200);
  expect(await queue.events()).toMatchObject([
    { op: "update", draft: { content: "  edited", timestamp: 7 } },
  ]);
  expect((await alice.get("/drafts")).body.drafts).toMatchObject([
    stored[0],
    { id: body.ids[0], content: "  edited", timestamp: 7 },
    stored[2],
  ]);
});

test("without `drafts` nothing is stored, and that is no error", async () => {
  const queue = await world.alice.register(only);
  expect((await world.alice.post("/drafts")).body).toMatchObject({ result: "success", ids: [] });
  expect(await queue.events()).toEqual([]);
});

test("a draft is changed and deleted; each is told", async () => {
  const { alice, channels } = world;
  const { body } = await alice.post("/drafts", { drafts: [free("one", { timestamp: 5 })] });
  const [id] = body.ids;
  const queue = await alice.register(only);
  const draft = {
    type: "stream",
    to: [channels.general],
    topic: "t",
    content: "edited",
    timestamp: 7,
  };
  expect((await alice.patch(`/drafts/${id}`, { draft })).status).toBe(200);
  expect(await queue.events()).toMatchObject([{ op: "update", draft: { id, ...draft } }]);
  expect((await alice.get("/drafts")).body.drafts).toEqual([{ id, ...draft }]);
  expect((await alice.delete(`/drafts/${id}`)).status).toBe(200);
  expect(await queue.events()).toMatchObject([{ op: "remove", draft_id: id }]);
  expect((await alice.get("/drafts")).body.drafts).toEqual([]);
  expect(await alice.delete(`/drafts/${id}`)).toMatchObject({
    status: 404,
    body: { code: "BAD_REQUEST" },
  });
});

test("A17, E9, E10: another's draft answers like a missing one, and stays", async () => {
  const { alice, bob, adam, zoe } = world;
  const { body } = await alice.post("/drafts", { drafts: [free("mine")] });
  for (const person of [bob, adam, zoe]) {
    for (const id of [body.ids[0], 999_999]) {
      const refused = { status: 404, body: { code: "BAD_REQUEST", msg: "Draft does not exist." } };
      expect(await person.patch(`/drafts/${id}`, { draft: free("x") })).toMatchObject(refused);
      expect(await person.delete(`/drafts/${id}`)).toMatchObject(refused);
    }
  }
  expect((await alice.get("/drafts")).body.drafts).toMatchObject([{ content: "mine" }]);
});

describe("storing drafts", () => {
  oneWorldForGroup();

  test.each([
    ["another type", { type: "bogus" }],
    ["a channel draft without a channel", { type: "stream" }],
    ["a channel draft with an unknown channel", { type: "stream", to: [999_999] }],
    ["a direct draft to somebody unknown", { type: "private", to: [999_999] }],
    ["no content", { content: " \n" }],
    ["NUL in the content", { content: "nul \0" }],
    ["NUL in the topic", { topic: "nul \0" }],
    ["a time before 1970", { timestamp: -10 }],
    ["a fraction of a second before 1970", { timestamp: -0.5 }],
    ["a time beyond all numbers", { timestamp: 1e300 }],
    ["a time as a text", { timestamp: "1700000000" }],
    ["`to` that is no list", { to: "x" }],
  ])("refuses %s, and stores none of the others", async (_, wrong) => {
    const { alice } = world;
    const queue = await alice.register(only);
    const refused = await alice.post("/drafts", {
      drafts: [free("good"), { ...free("bad"), ...wrong }],
    });
    expect(refused).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    expect((await alice.get("/drafts")).body.drafts).toEqual([]);
    expect(await queue.events()).toEqual([]);
  });
});

test("refuses two channels, and a channel that one may not know of like a missing one", async () => {
  const { bob, channels } = world;
  const draft = (to: number[]) => ({ drafts: [{ type: "stream", to, topic: "t", content: "x" }] });
  expect((await bob.post("/drafts", draft([channels.general, channels.general]))).status).toBe(400);
  const hidden = await bob.post("/drafts", draft([channels.plans]));
  const gone = await bob.post("/drafts", draft([999_999]));
  expect(hidden.status).toBe(400);
  expect(hidden.body.msg.replace(String(channels.plans), "N")).toBe(
    gone.body.msg.replace("999999", "N"),
  );
});

test("somebody has at most 1,000 drafts", async () => {
  const { alice } = world;
  const drafts = Array.from({ length: 1_000 }, (_, n) => free(`draft ${n}`));
  expect((await alice.post("/drafts", { drafts })).status).toBe(200);
  expect(await alice.post("/drafts", { drafts: [free("more")] })).toMatchObject({
    status: 400,
    body: { msg: "You can have at most 1000 drafts: delete some." },
  });
});

test("who turns off that drafts are kept here has none here any more, and can store none", async () => {
  const { alice, olga } = world;
  const verifyNext = verifyInTurn(world);
  await alice.post("/drafts", { drafts: [free("mine")] });
  await verifyNext(() => alice.patch("/settings", { enable_drafts_synchronization: false }));
  expect((await alice.get("/drafts")).body.drafts).toEqual([]);
  expect(await alice.post("/drafts", { drafts: [free("x")] })).toMatchObject({
    body: { code: "BAD_REQUEST" },
  });
  const dave = await newPerson(world);
  await dave.post("/drafts", { drafts: [free("dave's")] });
  await verifyNext(() =>
    olga.patch("/settings", {
      enable_drafts_synchronization: false,
      target_users: { user_ids: [dave.id], skip_if_already_edited: false },
    }),
  );
  expect((await dave.get("/drafts")).body.drafts).toEqual([]);
});

test("the state before and the events give the state after", async () => {
  const { alice, bob } = world;
  const { body } = await alice.post("/drafts", { drafts: [free("a"), free("b")] });
  const counts = await verify(world, async () => {
    await alice.post("/drafts", {
      drafts: [{ type: "private", to: [bob.id], topic: "", content: "c" }],
    });
    await alice.patch(`/drafts/${body.ids[0]}`, { draft: free("changed") });
    await alice.delete(`/drafts/${body.ids[1]}`);
  });
  expect(counts).toMatchObject({ alice: 3, bob: 0, olga: 0 });
});
