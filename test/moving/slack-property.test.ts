import { afterAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { importFile } from "../../src/moving/import/import-file";
import type { Skipped } from "../../src/moving/import/report";
import { splitText } from "../../src/moving/import/slack/split-text";
import { generateSlackExport } from "../support/generated-slack";
import { writeSlackExport } from "../support/slack-export";
import { slackImports } from "../support/slack-import";
import { makeWorld, type World } from "../support/world";

const { remove, nextPath } = slackImports();
afterAll(remove);

/** Everything that came of an export: messages, reactions and people, as they are stored. */
async function storedIn({ app }: World, host: string) {
  const { db, t } = app.engine.reader;
  const [realm] = await db.select().from(t.realms).where(eq(t.realms.host, host));
  const id = realm?.id ?? 0;
  return {
    messages: await db.select().from(t.messages).where(eq(t.messages.realmId, id)),
    reactions: await db.select().from(t.reactions).where(eq(t.reactions.realmId, id)),
    users: await db.select().from(t.users).where(eq(t.users.realmId, id)),
    attachments: await db.select().from(t.attachments).where(eq(t.attachments.realmId, id)),
  };
}

/** Faults of one import: what is neither there nor named in the report. */
async function lostOf(world: World, seed: number): Promise<string[]> {
  const { entries, expected, reactions, missing } = generateSlackExport(seed);
  const [host, path] = [`s${seed}.example.org`, nextPath()];
  writeSlackExport(path, entries, {});
  const told: Skipped[] = [];
  const wanted = { from: "slack" as const, host, name: `Seed ${seed}`, isDry: false };
  const tell = (one: Skipped) => void told.push(one);
  await importFile(world.app, path, wanted, { progress: () => undefined, tell });
  const stored = await storedIn(world, host);
  const contents = stored.messages.map(({ content }) => content);
  const isTold = (which: string) => told.some((one) => one.which.startsWith(which));
  const lost = expected
    .filter(({ what, word, which }) => {
      if (what === "person") return !stored.users.some(({ fullName }) => fullName === word);
      return !contents.some((content) => content.includes(word)) && !isTold(which);
    })
    .map(({ what, word }) => `${what} ${word}`);
  const lostReactions = reactions
    .filter(({ word, which }) => {
      const ids = stored.messages
        .filter(({ content }) => content.includes(word))
        .map(({ id }) => id);
      return !stored.reactions.some(({ messageId }) => ids.includes(messageId)) && !isTold(which);
    })
    .map(({ word, name }) => `reaction ${name} to ${word}`);
  const standIns = stored.users.filter(({ fullName }) => /^User \d+$/.test(fullName));
  const tooLong = contents.filter((content) => [...content].length > 10_000);
  return [
    ...lost,
    ...lostReactions,
    ...(standIns.length < missing.size
      ? [`${missing.size} people, ${standIns.length} in their place`]
      : []),
    ...tooLong.map(() => "a message that is too long"),
  ];
}

describe("Each message, file, reaction and person of an export of Slack", () => {
  test("is there or named in the report, whatever the export has", async () => {
    const world = await makeWorld();
    const lost: string[] = [];
    for (let seed = 1; seed <= 100; seed++) lost.push(...(await lostOf(world, seed)));
    expect(lost).toEqual([]);
    await world.close();
  }, 240_000);
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
