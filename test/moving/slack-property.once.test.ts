import { afterAll, describe, expect, test } from "bun:test";
import { splitText } from "../../src/moving/import/slack/split-text";
import { formCount, generateSlackExport } from "../support/archives/generated-slack";
import { slackImports } from "../support/archives/slack-import";
import { lostOf } from "../support/archives/slack-losses";
import { makeWorld } from "../support/world";

/* Exports of Slack from seeds: `slack-losses` imports the first ones, on PostgreSQL. */

const [seedMin, seedMax] = [11, 50];

const { remove, nextPath } = slackImports();
afterAll(remove);

describe("Each message, file, reaction and person of an export of Slack", () => {
  test("is there or named in the report, whatever the export has", async () => {
    const world = await makeWorld();
    const lost: string[] = [];
    for (let seed = seedMin; seed <= seedMax; seed++)
      lost.push(...(await lostOf(world, nextPath(), seed)));
    expect(lost).toEqual([]);
    await world.close();
  }, 240_000);

  test("is of each form that there is, in each place of a thread and with each reaction", () => {
    const count = seedMax - seedMin + 1;
    const seeds = Array.from({ length: count }, (_, index) => seedMin + index);
    const pairs = new Set(seeds.flatMap((seed) => [...generateSlackExport(seed).pairs]));
    const everywhere = ["alone", "root", "reply", "none", "+1", "+1::skin-tone-3", "tada"];
    const missing = Array.from({ length: formCount }, (_, form) => {
      const senders = pairs.has(`${form} nobody`) ? [] : ["person", "missing"];
      const wanted = [...everywhere, "nowhere_known", ...senders].map((one) => `${form} ${one}`);
      return wanted.filter((pair) => !pairs.has(pair));
    });
    expect(missing.flat()).toEqual([]);
  });
});

describe("A text that is too long for one message", () => {
  test("is cut between lines, in parts that together have all of it", () => {
    const lines = Array.from({ length: 900 }, (_, index) => `line ${index} of the text`);
    const parts = splitText(lines.join("\n"), 10_000);
    expect(parts.length).toBe(2);
    expect(parts.join("\n").split("\n")).toEqual(lines);
  });

  test("closes a block of code at each cut, and opens it again", () => {
    const text = `\`\`\`\n${"x = 1\n".repeat(4_000)}\`\`\``;
    const parts = splitText(text, 10_000);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(10_000);
      expect(part).toStartWith("```\n");
      expect(part).toEndWith("\n```");
    }
    expect(parts.join("\n").match(/x = 1/g)?.length).toBe(4_000);
  });

  test("is cut between words where it has no lines, and anywhere where it has no words", () => {
    expect(splitText(`${"word ".repeat(30)}end`, 100).join("")).toBe(`${"word ".repeat(30)}end`);
    expect(splitText("x".repeat(250), 100).join("")).toBe("x".repeat(250));
  });
});
