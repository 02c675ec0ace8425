import { dirname } from "node:path";
import { count } from "drizzle-orm";
import type { Context } from "../../core/context";
import { protocolVersion } from "../../core/version";
import { type Output, openOutput } from "../backup/output";
import type { Progress } from "../backup/progress";
import { SkipReport } from "../import/report";
import { ArchiveFile, type ArchiveRow, type ArchiveRows } from "./archive-file";
import { channelTables } from "./channels";
import { Clients } from "./clients";
import { addPictures, addUploads } from "./files";
import { groupTables, namedGroups, readPermissionGroups } from "./groups";
import { addMessages } from "./messages";
import { emptyTables, organizationTables } from "./organization";
import { ownTables, scheduledMessages } from "./own-things";
import { peopleTables } from "./people";
import { reactionRows } from "./reactions";
import { Conversations } from "./recipients";
import { type Snapshot, withSnapshot } from "./snapshot";

interface ReferenceReport {
  messages: number;
  files: number;
  /** Numbers of objects that the archive does not contain, by kind and reason. */
  leftOut: Record<string, number>;
}

interface Surroundings {
  progress: Progress;
  /** Throws if the work should end. */
  check: () => void;
  /** Called once the name is accepted, before anything is read. */
  begun?: () => Promise<void>;
}

/**
 * Writes an organization as of one moment to a new file in the format of the reference server's
 * export (`docs/protocol/archive.md`), while servers keep running. It contains all private
 * messages, but no passwords or other secrets. Refuses an existing name (BAD_REQUEST).
 */
export async function exportReference(
  ctx: Context,
  path: string,
  { progress, check, begun }: Surroundings,
): Promise<ReferenceReport> {
  const now = ctx.app.clock.now();
  // The output is opened before the organization is copied, because the copy may take long and the
  // name may be refused.
  const output = await openOutput(path);
  try {
    await begun?.();
    const surroundings = { scratchFolder: dirname(path), progress, check };
    const report = await withSnapshot(ctx, surroundings, (snapshot) =>
      writeArchive(snapshot, output, { progress, check, now }),
    );
    await output.keep();
    return report;
  } finally {
    await output.discard();
  }
}

async function writeArchive(
  snapshot: Snapshot,
  output: Output,
  surroundings: Omit<Surroundings, "begun"> & { now: number },
): Promise<ReferenceReport> {
  const { spool, realm } = snapshot;
  const facts = { folder: `zulip-export-${realm.id}`, spool, now: surroundings.now };
  const archive = await ArchiveFile.begin(output, facts);
  try {
    const report = await addAll(snapshot, archive, surroundings);
    await archive.finish();
    return report;
  } finally {
    await archive.stop();
  }
}

async function addAll(
  snapshot: Snapshot,
  archive: ArchiveFile,
  { progress, check, now }: Omit<Surroundings, "begun"> & { now: number },
): Promise<ReferenceReport> {
  const left = new SkipReport();
  const clients = new Clients();
  const conversations = await Conversations.read(snapshot);
  const shared = { archive, clients, conversations, progress, check };
  // The migrations of a reference server are unknown here, so the list is empty. The importer only
  // warns about this.
  const migrations = { migrations_by_app: {}, zulip_version: protocolVersion };
  await archive.addJson("migration_status.json", migrations);
  const messages = await addMessages(snapshot, shared);
  const scheduled = await scheduledMessages(snapshot, conversations, clients, now);
  const tables = await realmTables(snapshot, { conversations, clients, left, now });
  await archive.addTables(
    "realm.json",
    {
      ...tables,
      zerver_scheduledmessage: scheduled,
      zerver_reaction: reactionRows(snapshot, left),
      zerver_client: clients.rows(),
    } satisfies Record<string, ArchiveRows>,
    { import_source: "zulip" },
  );
  await archive.addTables("analytics.json", {
    analytics_realmcount: [],
    analytics_usercount: [],
    analytics_streamcount: [],
  });
  const files = await addUploads(snapshot, scheduled, { archive, left, check });
  await addPictures(snapshot, { archive, left, check });
  return { messages, files, leftOut: { ...left.counts, ...(await countLeftOut(snapshot)) } };
}

async function realmTables(
  snapshot: Snapshot,
  {
    conversations,
    now,
    ...shared
  }: { conversations: Conversations; clients: Clients; left: SkipReport; now: number },
): Promise<Record<string, ArchiveRow[]>> {
  const groups = await readPermissionGroups(snapshot);
  const tables = {
    ...emptyTables(),
    ...(await organizationTables(snapshot, groups)),
    ...(await peopleTables(snapshot, { ...shared, now })),
    ...(await channelTables(snapshot, groups, conversations)),
    ...(await ownTables(snapshot, now)),
  };
  const named = await namedGroups(snapshot, groups);
  return { ...tables, ...(await groupTables(snapshot, groups, named, now)) };
}

/** Tables whose rows the format cannot contain, with the name of their rows for operators. */
const leftOutTables = ({ t }: Snapshot["reader"]) =>
  [
    [t.drafts, "drafts: the form has none"],
    [t.reminders, "reminders: the form has none"],
    [t.submessages, "answers to polls and lists: the form has none"],
    [t.defaultChannelGroups, "groups of default channels: the form has none"],
    [t.webhookTemplates, "templates of incoming webhooks: the form has none"],
    [t.auditLog, "acts of the audit log: only subscriptions have a place"],
  ] as const;

async function countLeftOut({ reader }: Snapshot): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [table, why] of leftOutTables(reader)) {
    const [row] = await reader.db.select({ rows: count() }).from(table);
    if (row && row.rows > 0) counts[why] = row.rows;
  }
  return counts;
}
