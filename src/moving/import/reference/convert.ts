import { join } from "node:path";
import { and, eq } from "drizzle-orm";
import type { App } from "../../../core/context";
import { badRequest } from "../../../core/errors";
import { isSystemGroupName, systemGroupTitles } from "../../../core/rights/group-setting";
import { contentTypeOf } from "../../../uploads/content-type";
import { addressName, shownName } from "../../../uploads/file-name";
import type { Progress } from "../../backup/progress";
import { IdSet } from "../../realm-archive/id-set";
import type { StagedRealm } from "../../realm-archive/stage";
import { makeStageFolder } from "../../realm-archive/stage";
import { markAllRead } from "../all-read";
import { type Given, givenList, givenNumber, givenRecord, givenText } from "../json";
import { People } from "../people";
import type { SkipReport } from "../report";
import { StageWriter } from "../stage-writer";
import { type TarLimits, type Unpacked, unpackTar } from "../tarball";
import { takeChannels, takePeriods, takeSubscriptions, takeTopics } from "./channels";
import { emojiOf, takeKeptThings } from "./kept-things";
import { type MessagesSeen, takeMessages } from "./messages";
import { takeOrganizationThings, takeSettings } from "./organization";
import { takeBots, takeGroups, takeOwnThings, takePeople } from "./people";
import { takeEmoji, takeRealmPictures } from "./pictures";
import { namedGroupsOf, ownIds, personOf, type Source, secondsOf, tableOf } from "./source";

interface ReferenceWanted {
  host: string;
  /** Its name here; the one in the export by default. */
  name: string | undefined;
  digest: string;
}

interface Surroundings {
  progress: Progress;
  report: SkipReport;
  limits?: TarLimits;
}

const idMax = 2 ** 40;

/**
 * Stages an export of a reference server. Texts are imported as Markdown and rendered again. Data
 * that cannot be imported is skipped and reported. Refuses a file that is no such export
 * (BAD_REQUEST).
 */
export async function stageReference(
  app: App,
  path: string,
  { host, name, digest }: ReferenceWanted,
  { progress, report, limits }: Surroundings,
): Promise<StagedRealm> {
  const folder = await makeStageFolder(app.config.data);
  try {
    const files = await unpackTar(path, join(folder.path, "unpacked"), limits);
    const realm = givenRecord(await files.json("realm.json"));
    const row = givenList(realm["zerver_realm"])[0];
    if (!row) throw badRequest("This is not an export of Zulip: realm.json is missing.");
    const writer = await StageWriter.open(app, { host, name: name ?? givenText(row["name"]) });
    try {
      const source = sourceOf(app, { writer, files, report, realm, host, digest });
      await takeAll(source, progress);
      return await writer.finish();
    } catch (error) {
      await writer.discard();
      throw error;
    }
  } finally {
    await folder.remove();
  }
}

interface Opened {
  writer: StageWriter;
  files: Unpacked;
  report: SkipReport;
  realm: Given;
  host: string;
  digest: string;
}

function sourceOf(app: App, { writer, files, report, realm, host, digest }: Opened): Source {
  const own = givenRecord(givenList(realm["zerver_realm"])[0]);
  const [all, same] = [
    { min: 1, max: idMax, shift: ownIds },
    { min: 1, max: idMax, shift: 0 },
  ];
  const source: Source = {
    app,
    writer,
    files,
    report,
    realm,
    accounts: new People(writer, { report, list: "zerver_userprofile", host }),
    tokenOf: (name) => app.secrets.hash("imported-file", `${digest} ${name}`),
    texts: {
      shifts: { users: all, user_groups: all, channels: same, messages: same },
      realmId: { from: givenNumber(own["id"]), to: writer.realmId },
      host: { from: givenText(own["host"]) || host, to: host },
    },
    people: new Map(),
    systemBots: new Map(),
    channels: new Map(),
    groups: new Map(),
    recipients: new Map(),
    huddles: new Map(),
    conversations: new Map(),
    uploads: new Map(),
    emoji: new Map(),
    emojiIds: new Set(),
    names: {},
    lastMessageId: 0,
    messageIds: new IdSet(),
  };
  Object.assign(source.names, namesOf(source));
  return source;
}

/**
 * Meanings of the names in texts. They are looked up when they are used, because all people, groups
 * and channels have been imported by then.
 */
function namesOf(source: Source): Partial<Source["names"]> {
  let byName: Map<string, { id: number; fullName: string; isActive: boolean }> | undefined;
  let channels: Map<string, { id: number; name: string }> | undefined;
  let files: Set<string> | undefined;
  return {
    person(name, id) {
      byName ??= new Map([...source.people.values()].reverse().map((one) => [one.fullName, one]));
      return id === undefined ? byName.get(name) : source.people.get(id);
    },
    channel(name) {
      channels ??= new Map([...source.channels.values()].map((one) => [one.name, one]));
      return channels.get(name);
    },
    group(name) {
      const given = namedGroupsOf(source).find((one) => givenText(one["name"]) === name);
      const id = given && source.groups.get(givenNumber(given["usergroup_ptr"]));
      if (id === undefined) return undefined;
      return { id, name: isSystemGroupName(name) ? systemGroupTitles[name] : name, isActive: true };
    },
    emoji(name) {
      const found = source.emoji.get(name);
      return (
        found && { url: `/user_avatars/${source.writer.realmId}/emoji/images/${found.fileName}` }
      );
    },
    isUploaded(address) {
      files ??= new Set(
        [...source.uploads.values()].map(({ pathId }) => `/user_uploads/${pathId}`),
      );
      return files.has(address);
    },
  };
}

async function takeAll(source: Source, progress: Progress) {
  await takePeople(source);
  await takeGroups(source);
  await takeEmoji(source);
  await takeRealmPictures(source);
  await takeChannels(source);
  await takeBots(source);
  await takeOrganizationThings(source);
  await takeSettings(source);
  await takeSubscriptions(source);
  await takeTopics(source);
  await takeOwnThings(source);
  const links = await takeUploads(source);
  const seen = await takeMessages(source, progress);
  await takePeriods(source, seen.periods);
  await takeReactions(source);
  await takeKeptThings(source);
  for (const [attachment_id, message_id] of links) {
    if (source.messageIds.has(message_id))
      await source.writer.add("attachment_messages", { attachment_id, message_id });
  }
  await finishReading(source, seen);
}

/** Imports the files that exist; answers pairs of a file and a message that links to it. */
async function takeUploads(source: Source): Promise<[number, number][]> {
  const { files, writer, report, uploads } = source;
  const links: [number, number][] = [];
  const given = givenRecord(await files.json("attachment.json"));
  for (const one of givenList(given["zerver_attachment"])) {
    const [path, owner_id] = [givenText(one["path_id"]), personOf(source, one["owner"])];
    if (!files.path(`uploads/${path}`) || owner_id === undefined) {
      report.add(
        "zerver_attachment",
        path,
        owner_id === undefined ? "have an unknown owner" : "are not in the file",
      );
      continue;
    }
    const id = givenNumber(one["id"]);
    const token = source.tokenOf(path);
    const name = shownName(givenText(one["file_name"]));
    const size_bytes = await writer.addFile(token, files.chunks(`uploads/${path}`));
    const path_id = `${writer.realmId}/${token}/${addressName(name)}`;
    uploads.set(path.replace(/^\d+/, ""), { id, pathId: path_id });
    await writer.add("attachments", {
      id,
      owner_id,
      path_id,
      name,
      content_type: contentTypeOf(name),
      size_bytes,
      created_at: secondsOf(one["create_time"]),
    });
    const messages = Array.isArray(one["messages"]) ? one["messages"] : [];
    for (const message of messages) links.push([id, givenNumber(message)]);
  }
  return links;
}

async function takeReactions(source: Source) {
  const { writer, report } = source;
  for (const one of tableOf(source, "zerver_reaction")) {
    const [message_id, user_id] = [
      givenNumber(one["message"]),
      personOf(source, one["user_profile"]),
    ];
    const emoji = emojiOf(source, one);
    if (user_id === undefined || !source.messageIds.has(message_id) || !emoji) {
      report.add("zerver_reaction", String(message_id), "have an unknown emoji, message or person");
      continue;
    }
    const row = { message_id, user_id, ...emoji };
    await writer.add("reactions", { id: writer.nextId("reactions"), ...row });
  }
}

/** Marks everything as read except the messages that are stored as unread. */
async function finishReading({ writer, lastMessageId }: Source, { firstIds }: MessagesSeen) {
  await markAllRead(writer, lastMessageId);
  await writer.change(async ({ db, t }) => {
    for (const [channelId, firstMessageId] of firstIds) {
      const isIt = and(eq(t.channels.realmId, writer.realmId), eq(t.channels.id, channelId));
      await db.update(t.channels).set({ firstMessageId }).where(isIt);
    }
  });
}
