import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fastestRun } from "../support/cpu-time";
import { newHook, told } from "../support/servers/webhooks";
import { makeWorld, type Person, type World } from "../support/world";

/** Templates that are refused, and the time that templates take. */
let world: World;
let hook: Person;
beforeAll(async () => {
  world = await makeWorld();
  hook = await newHook(world);
});
afterAll(() => world.close());

const path = (name: string) => `/realm/webhook_templates/${name}`;
const put = (person: Person, to: string, parameters: object) =>
  person.ask("PUT", to, { ...parameters });

describe("A template of the organization's", () => {
  test.each([
    ["a name of the server's own", "github", "a", "b"],
    ["a name that is none", "a b", "a", "b"],
    ["no topic", "t", " ", "b"],
    ["no content", "t", "a", ""],
    ["a long topic", "t", "a".repeat(501), "b"],
    ["a long content", "t", "a", "b".repeat(5_001)],
    ["a brace too many", "t", "a", "{a"],
    ["code", "t", "a", "{a + b}"],
    ["an unknown form", "t", "a", "{a:eval}"],
    ["a section without an end", "t", "a", "{#a}b"],
    ["an end without a section", "t", "a", "b{/a}"],
    ["sections that cross", "t", "a", "{#a}{#b}{/a}{/b}"],
    ["too many in one another", "t", "a", "{#a}{#b}{#c}{#d}{/d}{/c}{/b}{/a}"],
  ])("is refused with %s", async (_, name, topic, content) => {
    const { status, body } = await put(world.adam, path(encodeURIComponent(name)), {
      topic,
      content,
    });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  });

  test("costs little, whatever it is filled with, and reads nothing but the payload", async () => {
    const { adam } = world;
    const content =
      "{#a}{#b}{#c}{x}{y:quote}{/c}{/b}{/a}.{constructor}{__proto__.polluted}{a.length}{toString}";
    await put(adam, path("deep"), { topic: "deep", content });
    const list = <Item>(item: Item) => Array.from({ length: 50 }, () => item);
    const payload = {
      x: "x".repeat(1_000),
      y: "y".repeat(9_000),
      a: list(0).map(() => ({ b: list({ c: list(1) }) })),
    };
    const post = async () => {
      const [, text = ""] = await told(world, hook, "deep", payload);
      expect(text).toHaveLength(10_000);
    };
    expect(await fastestRun(post, 3_000)).toBeLessThan(3_000);
    expect(await told(world, hook, "deep", {})).toEqual(["deep", "."]);
  });

  test.each(["text", "line", "lines", "words", "name", "quote", "code", "markdown"])(
    "costs little where it shows a long text again and again as %s",
    async (form) => {
      const content = `{#a}{#b}{#c}{x:${form}}{/c}{/b}{/a}`;
      await put(world.adam, path("again"), { topic: "again", content });
      const list = <Item>(item: Item) => Array.from({ length: 20 }, () => item);
      const a = list({ b: list({ c: list(1) }) });
      for (const x of ["a\n".repeat(300_000), Array.from({ length: 300_000 }, () => 0)]) {
        const post = async () => {
          const [, text = ""] = await told(world, hook, "again", { x, a });
          expect(text.length).toBeGreaterThan(0);
        };
        expect(await fastestRun(post, 1_000)).toBeLessThan(1_000);
      }
    },
  );
});
