import { beforeAll, describe, expect, test } from "bun:test";
import { fillReverse, reverseVariables } from "../../src/realm/linkifiers/template";
import { verify } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld();
  },
  () => world.close(),
);

const linkifiersOnly = { event_types: ["realm_linkifiers"] };
const tracker = { pattern: "KIT-(?P<id>[0-9]+)", url_template: "https://tracker.example/{id}" };
const plain = { example_input: null, reverse_template: null, alternative_url_templates: [] };

const add = (person: Person, parameters: Record<string, unknown>) =>
  person.post("/realm/filters", parameters);
const listOf = async (person: Person) => (await person.get("/realm/linkifiers")).body.linkifiers;
const render = async (person: Person, content: string) =>
  (await person.post("/messages/render", { content })).body.rendered;

describe("A linkifier", () => {
  test("is there for everybody in the organization, who hear of it at once; nobody elsewhere", async () => {
    const { olga, alice, greta, zoe } = world;
    const queues = await listen({ alice, greta, zoe }, linkifiersOnly);
    const { body } = await add(olga, tracker);
    const expected = [{ id: body.id, ...tracker, ...plain }];
    expect([await listOf(greta), await listOf(zoe)]).toEqual([expected, []]);
    expect(await hear(queues, ({ realm_linkifiers }) => realm_linkifiers)).toEqual({
      alice: [expected],
      greta: [expected],
      zoe: [],
    });
    const { state } = await alice.register({
      fetch_event_types: ["realm_linkifiers", "realm_filters"],
    });
    expect([state.realm_linkifiers, state.realm_filters]).toEqual([expected, []]);
  });

  test("makes links in what is written from then on, until it is gone; not elsewhere", async () => {
    const { olga, alice, zoe } = world;
    const { id } = (await add(olga, tracker)).body;
    const link = '<p>see <a href="https://tracker.example/17">KIT-17</a></p>';
    expect([await render(alice, "see KIT-17"), await render(zoe, "see KIT-17")]).toEqual([
      link,
      "<p>see KIT-17</p>",
    ]);
    const sent = await alice.say("general", "t", "see KIT-17");
    expect((await alice.get(`/messages/${sent}`)).body.message.content).toBe(link);
    await olga.patch(`/realm/filters/${id}`, {
      ...tracker,
      url_template: "https://new.example/{id}/{?id}",
    });
    expect(await render(alice, "KIT-17")).toBe(
      '<p><a href="https://new.example/17/?id=17">KIT-17</a></p>',
    );
    await olga.delete(`/realm/filters/${id}`);
    expect(await render(alice, "see KIT-17")).toBe("<p>see KIT-17</p>");
  });

  test("that was stored with an address that a browser would run makes no link, and it can only be mended (F1)", async () => {
    const { olga, alice } = world;
    const run = { pattern: "run(?P<code>.+)", url_template: "https://x.example/{code}" };
    const { id } = (await add(olga, run)).body;
    await world.app.engine.write(
      world.realm.id,
      async (tx) =>
        void (await tx.db.update(tx.t.linkifiers).set({ urlTemplate: "javascript:{+code}" })),
      () => undefined,
    );
    expect(await render(alice, "run alert(1)")).toBe("<p>run alert(1)</p>");
    const unchanged = { ...run, url_template: "javascript:{+code}" };
    expect(refusal(await olga.patch(`/realm/filters/${id}`, unchanged))).toBe("400 BAD_REQUEST");
    expect((await olga.patch(`/realm/filters/${id}`, run)).status).toBe(200);
  });

  test("is changed, removed and ordered; what is not sent of its example stays", async () => {
    const { olga, adam, bob } = world;
    const example = { example_input: "KIT-7", reverse_template: "KIT-{id}" };
    const first = (await add(olga, { ...tracker, ...example })).body.id;
    const second = (await add(adam, { pattern: "#([0-9]+)", url_template: "https://x.example/" }))
      .body.id;
    const queue = await bob.register(linkifiersOnly);
    expect(
      (
        await adam.patch(`/realm/filters/${first}`, {
          ...tracker,
          url_template: "https://y.example/{id}",
        })
      ).status,
    ).toBe(200);
    expect(await listOf(bob)).toMatchObject([
      { id: first, ...example, url_template: "https://y.example/{id}" },
      { id: second },
    ]);
    expect(
      (await olga.patch("/realm/linkifiers", { ordered_linkifier_ids: [second, first] })).status,
    ).toBe(200);
    expect(await listOf(bob)).toMatchObject([{ id: second }, { id: first }]);
    const third = (await add(olga, { pattern: "last", url_template: "https://x.example/" })).body
      .id;
    expect((await listOf(bob)).map(({ id }: { id: number }) => id)).toEqual([second, first, third]);
    const reset = {
      ...tracker,
      example_input: "",
      reverse_template: "",
      alternative_url_templates: ["https://z.example/{id}"],
    };
    expect((await olga.patch(`/realm/filters/${first}`, reset)).status).toBe(200);
    expect((await listOf(bob))[1]).toEqual({
      id: first,
      ...tracker,
      ...plain,
      alternative_url_templates: ["https://z.example/{id}"],
    });
    expect((await olga.delete(`/realm/filters/${second}`)).status).toBe(200);
    expect(await listOf(bob)).toHaveLength(2);
    expect(await queue.events()).toHaveLength(5);
  });
});

describe("What is refused", () => {
  oneWorldForGroup();

  let id: number;
  beforeAll(async () => {
    id = (await add(world.olga, { pattern: "kept", url_template: "https://x.example/" })).body.id;
  });

  const bad: [string, Record<string, unknown>][] = [
    ["an empty pattern", { pattern: "" }],
    ["an empty template", { url_template: "" }],
    ["a pattern that is none", { pattern: "bad(" }],
    ["what RE2 does not know", { pattern: "(?P<id>a)(?=b)" }],
    ["a pattern that matches nothing at all", { pattern: "(?P<id>[0-9]*)" }],
    ["a long pattern", { pattern: `(?P<id>${"a".repeat(500)})` }],
    ["a large pattern", { pattern: "(?P<id>(?:[a-z][0-9]){1,900})" }],
    ["a template that is none", { url_template: "https://x.example/{id" }],
    ["a template that runs code", { url_template: "javascript:{id}" }],
    ["a template that leads to another host of any scheme", { url_template: "//x.example/{id}" }],
    ["a template whose scheme is what was found", { url_template: "{+id}" }],
    ["an alternative that opens a program", { alternative_url_templates: ["tel:{id}"] }],
    ["a template with an odd variable", { url_template: "https://x.example/{id}{=id}" }],
    ["a group that no address has", { url_template: "https://x.example/" }],
    ["a variable that no group is", { url_template: "https://x.example/{id}/{other}" }],
    ["a reverse template without an example", { reverse_template: "KIT-{id}" }],
    ["an example that does not match", { example_input: "KAT-7", reverse_template: "KIT-{id}" }],
    [
      "a reverse template that gives something else",
      { example_input: "KIT-7", reverse_template: "KIT {id}" },
    ],
    [
      "a reverse template with an open brace",
      { example_input: "KIT-7", reverse_template: "KIT-{id" },
    ],
    [
      "a reverse template of an unknown variable",
      { example_input: "KIT-7", reverse_template: "KIT-{no}{id}" },
    ],
    ["an alternative that is no template", { alternative_url_templates: ["https://x.example/{"] }],
    [
      "an alternative of an unknown variable",
      { alternative_url_templates: ["https://x.example/{no}"] },
    ],
    [
      "too many alternatives",
      { alternative_url_templates: Array.from({ length: 21 }, () => "https://x.example/{id}") },
    ],
    ["a long template", { url_template: `https://x.example/{id}/${"x".repeat(2_000)}` }],
  ];

  test.each(bad)("%s, and it changes nothing", async (_, parameters) => {
    const { olga, alice } = world;
    const before = await listOf(alice);
    const queue = await alice.register(linkifiersOnly);
    const given = { ...tracker, ...parameters };
    const answer = await add(olga, given);
    expect(refusal(answer)).toBe("400 BAD_REQUEST");
    expect(Object.values(answer.body.errors)).toEqual([[answer.body.msg]]);
    expect(refusal(await olga.patch(`/realm/filters/${id}`, given))).toBe("400 BAD_REQUEST");
    expect([await listOf(alice), await queue.events()]).toEqual([before, []]);
  });

  test("whoever is no administrator, whatever they ask for (D8)", async () => {
    const { olga, alice, mona, greta, robot } = world;
    const before = await listOf(alice);
    const queue = await olga.register(linkifiersOnly);
    for (const person of [alice, mona, greta, robot]) {
      for (const answer of [
        await add(person, { pattern: "a", url_template: "https://x.example/" }),
        await person.patch(`/realm/filters/${id}`, {
          pattern: "a",
          url_template: "https://x.example/",
        }),
        await person.patch("/realm/linkifiers", { ordered_linkifier_ids: [id] }),
        await person.delete(`/realm/filters/${id}`),
      ]) {
        expect(refusal(answer)).toBe("400 UNAUTHORIZED_PRINCIPAL");
      }
    }
    expect([await listOf(alice), await queue.events()]).toEqual([before, []]);
  });

  test("a linkifier of another organization, like one that does not exist (E4)", async () => {
    const { olga, zoe } = world;
    const before = await listOf(olga);
    const given = { pattern: "a", url_template: "https://x.example/" };
    for (const change of [
      (to: number) => zoe.patch(`/realm/filters/${to}`, given),
      (to: number) => zoe.delete(`/realm/filters/${to}`),
      (to: number) => zoe.patch("/realm/linkifiers", { ordered_linkifier_ids: [to] }),
    ]) {
      const [foreign, missing] = [await change(id), await change(99_999_999)];
      expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
      expect(refusal(foreign)).toBe("400 BAD_REQUEST");
    }
    expect(await listOf(olga)).toEqual(before);
  });
});

describe("What is refused", () => {
  test("the same pattern twice, an order that leaves one out, and what is sent without a template", async () => {
    const { olga } = world;
    const { id } = (await add(olga, tracker)).body;
    const other = (await add(olga, { pattern: "other", url_template: "https://x.example/" })).body
      .id;
    expect(refusal(await add(olga, tracker))).toBe("400 BAD_REQUEST");
    expect(refusal(await olga.patch(`/realm/filters/${other}`, tracker))).toBe("400 BAD_REQUEST");
    for (const ids of [[], [id], [id, id], [id, other, other], [id, 99_999_999]]) {
      expect(refusal(await olga.patch("/realm/linkifiers", { ordered_linkifier_ids: ids }))).toBe(
        "400 BAD_REQUEST",
      );
    }
    expect(refusal(await add(olga, { pattern: "x" }))).toBe("400 REQUEST_VARIABLE_MISSING");
    expect(await listOf(olga)).toMatchObject([{ id }, { id: other }]);
  });

  test("more than a hundred", async () => {
    const { olga } = world;
    const given = (index: number) => ({ pattern: `p${index}`, url_template: "https://x.example/" });
    await Promise.all(Array.from({ length: 100 }, (_, index) => add(olga, given(index))));
    expect(refusal(await add(olga, given(100)))).toBe("400 BAD_REQUEST");
    expect(await listOf(olga)).toHaveLength(100);
  });
});

test("Linkifiers at register and the events give the linkifiers afterwards", async () => {
  const { olga } = world;
  const { id } = (await add(olga, tracker)).body;
  const counts = await verify(world, async () => {
    const other = (await add(olga, { pattern: "other", url_template: "https://x.example/" })).body
      .id;
    await olga.patch("/realm/linkifiers", { ordered_linkifier_ids: [other, id] });
    await olga.patch(`/realm/filters/${id}`, {
      ...tracker,
      url_template: "https://y.example/{id}",
    });
    await olga.delete(`/realm/filters/${other}`);
  });
  expect(counts).toMatchObject({ olga: 4, greta: 4, robot: 4 });
});

test("A reverse template has braces where they are doubled", () => {
  expect(reverseVariables("{{{a}}}-{b}")).toEqual(["a", "b"]);
  expect(fillReverse("{{{a}}}-{b}{c}", { a: "1", b: "2", c: null })).toBe("{1}-2");
  for (const written of ["{", "{a", "a}", "{a b}"])
    expect(reverseVariables(written)).toBeUndefined();
});
