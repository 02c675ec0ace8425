import type { FileHandle } from "node:fs/promises";
import { eq } from "drizzle-orm";
import type { App } from "../../../core/context";
import { badRequest } from "../../../core/errors";
import type { Progress } from "../../backup/progress";
import type { StagedRealm } from "../../realm-archive/stage";
import { markAllRead } from "../all-read";
import { givenList, givenText } from "../json";
import type { SkipReport } from "../report";
import { StageWriter } from "../stage-writer";
import { ZipFile, type ZipLimits } from "../zip";
import { dayForm } from "./days";
import { SlackFiles } from "./files";
import { addMessage, type DatedMessage, type Progressing } from "./messages";
import { SlackPictures } from "./pictures";
import { ThreadTopics } from "./topics";
import { readWorkspace, type SlackPlace, type Workspace } from "./workspace";

interface SlackWanted {
  host: string;
  name: string;
  /** Digest of the file, so that each import of the file gives equal names. */
  digest: string;
  /** Whether to fetch files that are not in the archive. A preview does not. */
  isFetching: boolean;
}

interface Surroundings {
  progress: Progress;
  report: SkipReport;
  limits?: ZipLimits;
}

/**
 * Stages an export of Slack: people, channels, conversations and all messages, in the order of
 * time, day by day. Data that cannot be imported is skipped and reported. Refuses a file that is
 * not such an export (BAD_REQUEST).
 */
export async function stageSlack(
  app: App,
  file: FileHandle,
  { host, name, digest, isFetching }: SlackWanted,
  { progress, report, limits }: Surroundings,
): Promise<StagedRealm> {
  const zip = await ZipFile.open(file, limits);
  if (!zip.has("users.json") || !zip.has("channels.json")) {
    throw badRequest("This is not an export of Slack: users.json or channels.json is missing.");
  }
  const writer = await StageWriter.open(app, { host, name });
  const nameOf = (id: string) => app.secrets.hash("imported-file", `${digest} ${id}`);
  const pictures = new SlackPictures({ app, writer, report, isFetching, nameOf });
  try {
    const workspace = await readWorkspace(writer, zip, report, { host, pictures });
    const so: Progressing = {
      topics: new ThreadTopics(),
      firstIds: new Map(),
      lastId: 0,
      files: new SlackFiles({
        app,
        writer,
        zip,
        report,
        progress,
        isFetching,
        nameOf,
      }),
    };
    await addMessages(workspace, so, progress);
    so.files.reportUnnamed();
    await markAllRead(writer, so.lastId);
    await noteFirstMessages(workspace, so);
    await writer.change(async ({ db, t: { realms } }) => {
      const createdAt = Math.min(
        ...workspace.places.map((place) => place.createdAt || app.clock.now()),
        app.clock.now(),
      );
      await db.update(realms).set({ createdAt }).where(eq(realms.id, writer.realmId));
    });
    return await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

async function addMessages(workspace: Workspace, so: Progressing, progress: Progress) {
  const days = daysOf(workspace);
  let done = 0;
  for (const [index, day] of [...days.keys()].sort().entries()) {
    const messages: DatedMessage[] = [];
    for (const place of days.get(day) ?? [])
      messages.push(...(await readDay(workspace, place, day)));
    messages.sort((a, b) => timeOf(a) - timeOf(b));
    for (const message of messages) {
      await addMessage(workspace, so, message);
      done += 1;
    }
    progress(`Reading ${day}`, index + 1, days.size);
  }
  progress("Messages", done);
}

/** Files that are read elsewhere, or from which nothing is lost: it lists apps that were added. */
const otherFiles =
  /^(?:(?:users|channels|groups|mpims|dms|emoji|integration_logs)\.json|__uploads\/.*|.*\/)$/s;

/**
 * The folders with messages of each day. Reports the files that are not imported, such as canvases.
 */
function daysOf({ zip, places, report }: Workspace): Map<string, SlackPlace[]> {
  const byFolder = new Map(places.map((place) => [place.folder, place]));
  const days = new Map<string, SlackPlace[]>();
  for (const name of zip.names) {
    const [, folder = "", day = ""] = dayForm.exec(name) ?? [];
    const place = byFolder.get(folder);
    if (day === "") {
      if (!otherFiles.test(name))
        report.add("files", name, "have no messages: canvases, lists and the like are left out");
    } else if (place) days.set(day, [...(days.get(day) ?? []), place]);
    else report.add("folders", folder, "belong to an unknown channel or conversation");
  }
  return days;
}

async function readDay(
  { zip, report }: Workspace,
  place: SlackPlace,
  day: string,
): Promise<DatedMessage[]> {
  const name = `${place.folder}/${day}.json`;
  const given = await zip.json(name).catch((error: unknown) => {
    report.add("files", name, error instanceof Error ? error.message : "cannot be read");
    return [];
  });
  return givenList(given).map((message) => ({ message, place, ts: givenText(message["ts"]) }));
}

/** Stores the id of each channel's first message in the row of the channel. */
async function noteFirstMessages({ writer }: Workspace, { firstIds }: Progressing) {
  await writer.change(async ({ db, t: { channels } }) => {
    for (const [channelId, firstMessageId] of firstIds) {
      await db.update(channels).set({ firstMessageId }).where(eq(channels.id, channelId));
    }
  });
}

const timeOf = ({ ts }: DatedMessage) => Number(ts) || 0;
