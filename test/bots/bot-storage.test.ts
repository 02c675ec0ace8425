import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { botKinds } from "../../src/people/bots/kinds";
import { codeOf } from "../support/answers";
import { newBot } from "../support/api/calls/things";
import { verify } from "../support/client-state/verify";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld({ bot_storage_size_bytes_max: "1000" });
});
afterEach(() => world.close());

const put = (bot: Person, storage: unknown) => bot.ask("PUT", "/bot_storage", { storage });
const storedBy = async (bot: Person, keys?: string[]) =>
  (await bot.get("/bot_storage", { keys })).body.storage;

describe("A bot's storage", () => {
  test("keeps texts by key: they are replaced one by one, read all or by key, and removed", async () => {
    const { robot } = world;
    expect(await storedBy(robot)).toEqual({});
    expect((await put(robot, { soup: "leek", bread: "rye", "": "empty" })).status).toBe(200);
    await put(robot, { soup: "pea", __proto__: undefined });
    expect(await storedBy(robot)).toEqual({ soup: "pea", bread: "rye", "": "empty" });
    expect(await storedBy(robot, ["bread"])).toEqual({ bread: "rye" });
    expect(codeOf(await robot.get("/bot_storage", { keys: ["bread", "wine"] }))).toBe(
      "400 BAD_REQUEST",
    );
    expect(codeOf(await robot.delete("/bot_storage", { keys: ["bread", "wine"] }))).toBe(
      "400 BAD_REQUEST",
    );
    expect(await storedBy(robot, ["bread"])).toEqual({ bread: "rye" });
    expect((await robot.delete("/bot_storage", { keys: ["bread"] })).status).toBe(200);
    expect(await storedBy(robot)).toEqual({ soup: "pea", "": "empty" });
    expect((await robot.delete("/bot_storage")).status).toBe(200);
    expect(await storedBy(robot)).toEqual({});
    expect((await robot.delete("/bot_storage")).status).toBe(200);
  });

  test("is the bot's own, and tells nobody anything", async () => {
    const { alice, robot, zoe } = world;
    const cook = await newBot(world, botKinds.outgoingWebhook);
    await verify(world, () => put(robot, { soup: "leek" }));
    expect(await storedBy(cook)).toEqual({});
    expect(await storedBy(await newBot(world, botKinds.embedded))).toEqual({});
    await put(cook, { soup: "pea" });
    expect(await storedBy(robot)).toEqual({ soup: "leek" });
    await cook.delete("/bot_storage");
    expect(await storedBy(robot)).toEqual({ soup: "leek" });
    for (const person of [alice, zoe]) {
      expect(codeOf(await person.get("/bot_storage"))).toBe("400 BAD_REQUEST");
      expect(codeOf(await put(person, { soup: "leek" }))).toBe("400 BAD_REQUEST");
      expect(codeOf(await person.delete("/bot_storage"))).toBe("400 BAD_REQUEST");
    }
    await alice.delete(`/bots/${robot.id}`);
    expect((await robot.get("/bot_storage")).status).toBe(401);
  });

  test("takes no more than the configuration says, and room that is given back can be used again", async () => {
    const { robot } = world;
    const [full, over] = ["é".repeat(450), "é".repeat(475)];
    expect(codeOf(await put(robot, { soup: over }))).toBe("400 BAD_REQUEST");
    expect(await storedBy(robot)).toEqual({});
    for (const text of [full, full, "", full])
      expect((await put(robot, { soup: text })).status).toBe(200);
    const { body } = await put(robot, { bread: "rye" });
    expect(body.msg).toContain("at most 1000 bytes");
    expect((await put(robot, { soup: "", bread: full })).status).toBe(400);
    expect((await put(robot, { soup: "leek" })).status).toBe(200);
    await robot.delete("/bot_storage", { keys: ["soup"] });
    expect((await put(robot, { bread: full })).status).toBe(200);
    expect(await storedBy(robot)).toEqual({ bread: full });
  });

  test("counts each entry: many small ones fill it too", async () => {
    const { robot } = world;
    const small = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, ""]));
    expect(codeOf(await put(robot, small))).toBe("400 BAD_REQUEST");
    expect((await put(robot, { k1: "", k2: "" })).status).toBe(200);
  });

  test("is not overfilled by two who store at once", async () => {
    const { robot } = world;
    const answers = await Promise.all(
      ["a", "b", "c"].map((key) => put(robot, { [key]: "x".repeat(600) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(Object.keys(await storedBy(robot))).toHaveLength(1);
  });

  test("holds what is no whole character as the database keeps it, and counts it once", async () => {
    const { robot } = world;
    expect((await put(robot, { "a\ud800": "\udfff", "a\ud801": "x" })).status).toBe(200);
    expect(await storedBy(robot)).toEqual({ "a\ufffd": "x" });
    expect(await storedBy(robot, ["a\ud802"])).toEqual({ "a\ufffd": "x" });
    expect((await robot.delete("/bot_storage", { keys: ["a\ud800", "a\ufffd"] })).status).toBe(200);
    expect(await storedBy(robot)).toEqual({});
    expect((await put(robot, { soup: "s".repeat(946) })).status).toBe(200);
  });

  test("takes nothing but texts by keys that are not too long", async () => {
    const wrong = [
      null,
      [],
      "soup",
      { soup: 1 },
      { soup: null },
      { soup: { a: "b" } },
      { ["k".repeat(1_001)]: "" },
    ];
    for (const storage of wrong)
      expect(codeOf(await put(world.robot, storage))).toBe("400 BAD_REQUEST");
    expect(await storedBy(world.robot)).toEqual({});
  });
});

test("a bot stores many texts in one request, with names of all sorts", async () => {
  const large = await makeWorld();
  try {
    const storage = Object.fromEntries(
      Array.from({ length: 2_500 }, (_, index) => [`k'"\\%${index}`, `v${index}`]),
    );
    expect((await put(large.robot, storage)).status).toBe(200);
    expect(await storedBy(large.robot)).toEqual(storage);
    const keys = Object.keys(storage).slice(0, 1_200);
    expect((await large.robot.delete("/bot_storage", { keys })).status).toBe(200);
    expect(Object.keys(await storedBy(large.robot))).toHaveLength(1_300);
    await large.robot.delete("/bot_storage");
    expect(await storedBy(large.robot)).toEqual({});
  } finally {
    await large.close();
  }
});
