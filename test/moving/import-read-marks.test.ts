import { afterAll, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { importFile } from "../../src/moving/import/import-file";
import type { ImportSource } from "../../src/moving/import/sources";
import { backupFolder } from "../support/archives/backups";
import { writeReferenceExport } from "../support/archives/reference-export";
import { writeSlackExport } from "../support/archives/slack-export";
import { makeWorld, type World } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

const host = "here.example.org";

/** People with the places whose messages they have received, and with those marked as read. */
async function placesIn({ app }: World) {
  const { db, t } = app.engine.reader;
  const [realm] = await db.select().from(t.realms).where(eq(t.realms.host, host));
  const id = realm?.id ?? 0;
  const { subscriptionPeriods: periods, conversationMembers: members, readWatermarks: marks } = t;
  const received = await db.select().from(periods).where(eq(periods.realmId, id));
  const direct = await db.select().from(members).where(eq(members.realmId, id));
  const read = await db.select().from(marks).where(eq(marks.realmId, id));
  const distinct = (places: string[]) => [...new Set(places)].toSorted();
  return {
    received: distinct([
      ...received.map(({ userId, channelId }) => `${userId} in ${channelId}`),
      ...direct.map(({ userId }) => `${userId} in 0`),
    ]),
    marked: read.map(({ userId, scope }) => `${userId} in ${scope}`).toSorted(),
  };
}

test.each<[ImportSource, (path: string) => void, string]>([
  ["slack", (path) => writeSlackExport(path), "export.zip"],
  ["zulip", (path) => writeReferenceExport(path), "export.tar.gz"],
])(
  "an import from %s marks as read what each person has received, not each channel for each person",
  async (from, writeExport, name) => {
    const world = await makeWorld();
    const path = `${folder}/${name}`;
    writeExport(path);
    await importFile(
      world.app,
      path,
      { from, host, name: "Acme", isDry: false },
      { progress: () => undefined },
    );
    const { received, marked } = await placesIn(world);
    expect(marked).toEqual(received);
    expect(marked.length).toBeGreaterThan(3);
    await world.close();
  },
);
