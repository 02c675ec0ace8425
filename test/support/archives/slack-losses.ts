import { eq } from "drizzle-orm";
import { importFile } from "../../../src/moving/import/import-file";
import type { Skipped } from "../../../src/moving/import/report";
import type { World } from "../world";
import { generateSlackExport } from "./generated-slack";
import { writeSlackExport } from "./slack-export";

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

/**
 * Faults of importing the export of a seed into a path: what is neither there nor named in the
 * report.
 */
export async function lostOf(world: World, path: string, seed: number): Promise<string[]> {
  const { entries, expected, reactions, missing } = generateSlackExport(seed);
  const host = `s${seed}.example.org`;
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
