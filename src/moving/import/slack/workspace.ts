import { pickColor } from "../../../management/subscriptions/colors";
import { avatarSources } from "../../../people/users/avatar";
import { lengthsMax } from "../../../protocol/limits";
import { newRealmRow } from "../../../realm/new-realm";
import { channelNameOf } from "../channel-name";
import { type Given, givenList, givenNumber, givenRecord, givenText, givenTexts } from "../json";
import { People } from "../people";
import type { SkipReport } from "../report";
import type { StageWriter } from "../stage-writer";
import type { ZipFile } from "../zip";
import { type SlackEmoji, takeEmoji } from "./emoji";
import { addStrangersIn, readPeople } from "./people";
import type { SlackPictures } from "./pictures";
import { addProfileFields } from "./profile";
import { markdownOfSlack, type SlackNames, withoutTokens } from "./text";

export interface SlackPerson {
  id: number;
  fullName: string;
  role: number;
  isActive: boolean;
}

/** A channel or conversation that gets the messages of a folder of the export. */
export interface SlackPlace {
  folder: string;
  channelId: number | null;
  conversationId: number | null;
  /** Ids of the people who have received its messages. */
  memberIds: ReadonlySet<number>;
  /** Whether it is private: a conversation, or a channel that only its members may read. */
  isPrivate: boolean;
  /** UNIX seconds. */
  createdAt: number;
}

/** People and places in an export of Slack, with their ids here. */
export interface Workspace {
  writer: StageWriter;
  zip: ZipFile;
  report: SkipReport;
  people: Map<string, SlackPerson>;
  /** People by their ids here, including bots. */
  byId: Map<number, SlackPerson>;
  /** Bots without an account that have written messages, by their ids and names. */
  bots: Map<string, SlackPerson>;
  accounts: People;
  places: SlackPlace[];
  channelNames: Map<string, string>;
  /** In lower case. */
  takenChannelNames: Set<string>;
  channelIds: Map<string, number>;
  emoji: SlackEmoji;
  /** Ids of profile fields by their names. */
  profileFields: Map<string, number>;
  pictures: SlackPictures;
  ownerId: number | null;
}

const list = async (zip: ZipFile, name: string) => givenList(await zip.json(name));

/** Imports people, channels and conversations. */
export async function readWorkspace(
  writer: StageWriter,
  zip: ZipFile,
  report: SkipReport,
  { host, pictures }: { host: string; pictures: SlackPictures },
): Promise<Workspace> {
  // Imported people get the settings of new people, because the organization is new and so are
  // their accounts.
  const newcomer = { settings: newRealmRow().userDefaults, avatar_source: avatarSources.generated };
  const users = await list(zip, "users.json");
  const accounts = new People(writer, { report, list: "users.json", host }, newcomer);
  const workspace: Workspace = {
    writer,
    zip,
    report,
    accounts,
    people: new Map(),
    bots: new Map(),
    places: [],
    byId: new Map(),
    channelIds: new Map(),
    channelNames: new Map(),
    takenChannelNames: new Set(),
    emoji: await takeEmoji(await zip.json("emoji.json"), { writer, report, pictures }),
    profileFields: await addProfileFields(writer, users),
    pictures,
    ownerId: null,
  };
  await readPeople(workspace, users);
  for (const [file, isPrivate] of [
    ["channels.json", false],
    ["groups.json", true],
  ] as const) {
    for (const channel of await list(zip, file)) await addChannel(workspace, channel, isPrivate);
  }
  for (const group of await list(zip, "mpims.json"))
    await addConversation(workspace, group, givenText(group["name"]));
  for (const direct of await list(zip, "dms.json"))
    await addConversation(workspace, direct, givenText(direct["id"]));
  return workspace;
}

const membersOf = (workspace: Workspace, given: Given) =>
  [...new Set(givenTexts(given["members"]))].flatMap((key) => workspace.people.get(key) ?? []);

/**
 * Number of channels to which somebody was subscribed so far, by which the color of the next one is
 * chosen.
 */
const subscribed = new WeakMap<Workspace, Map<number, number>>();

async function addChannel(workspace: Workspace, given: Given, isPrivate: boolean) {
  const { writer, report, channelNames } = workspace;
  const folder = givenText(given["name"]);
  const name = channelNameOf(folder, workspace.takenChannelNames, report);
  if (name === undefined) {
    report.add(
      isPrivate ? "groups.json" : "channels.json",
      folder,
      "has no name, or one that is taken",
    );
    return;
  }
  const id = writer.nextId("channels");
  channelNames.set(givenText(given["id"]), name);
  workspace.channelIds.set(name, id);
  const createdAt = givenNumber(given["created"]);
  const description = descriptionOf(workspace, given);
  await writer.add("channels", {
    id,
    name,
    name_key: name.toLowerCase(),
    description,
    rendered_description: "",
    invite_only: isPrivate,
    history_public_to_subscribers: true,
    created_at: createdAt,
    is_archived: given["is_archived"] === true,
    is_default: given["is_general"] === true && !isPrivate,
    creator_id: workspace.people.get(givenText(given["creator"]))?.id ?? null,
  });
  await addStrangersIn(workspace, given, folder);
  const memberIds = new Set(membersOf(workspace, given).map((member) => member.id));
  for (const userId of memberIds) await subscribe(workspace, userId, id);
  for (const pin of givenList(given["pins"]))
    report.add(
      "pins",
      `${folder} ${givenText(pin["id"])}`,
      "are not kept: stars are each person's",
    );
  const place = { folder, channelId: id, conversationId: null, memberIds, isPrivate, createdAt };
  workspace.places.push(place);
}

/** Purpose and current topic of a channel in one line, without the markup of Slack. */
function descriptionOf(workspace: Workspace, given: Given): string {
  const texts = [given["purpose"], given["topic"]].map((one) =>
    markdownOfSlack(givenText(givenRecord(one)["value"]), namesIn(workspace)).replace(/\s+/g, " "),
  );
  const about = [...new Set(texts.map(withoutTokens))].filter((one) => one !== "").join(" – ");
  const characters = [...about];
  if (characters.length > lengthsMax.channelDescription)
    workspace.report.add("channels", givenText(given["name"]), "have a shortened description");
  return characters.slice(0, lengthsMax.channelDescription).join("");
}

async function subscribe(workspace: Workspace, user_id: number, channel_id: number) {
  const counts = subscribed.get(workspace) ?? new Map<number, number>();
  subscribed.set(workspace, counts);
  const count = counts.get(user_id) ?? 0;
  counts.set(user_id, count + 1);
  const { writer } = workspace;
  await writer.add("subscriptions", {
    user_id,
    channel_id,
    is_active: true,
    color: pickColor(new Set(), count),
  });
  const whole = { from_message: 0, to_message: null, from_log: 0, to_log: null };
  await writer.add("subscription_periods", { user_id, channel_id, ...whole });
}

async function addConversation(workspace: Workspace, given: Given, folder: string) {
  await addStrangersIn(workspace, given, folder);
  const memberIds = membersOf(workspace, given)
    .map(({ id }) => id)
    .toSorted((a, b) => a - b);
  if (folder === "" || memberIds.length === 0) {
    workspace.report.add("dms.json", folder, "has nobody in it");
    return;
  }
  workspace.places.push({
    folder,
    channelId: null,
    conversationId: await conversationOf(workspace, memberIds),
    memberIds: new Set(memberIds),
    isPrivate: true,
    createdAt: givenNumber(given["created"]),
  });
}

const conversations = new WeakMap<Workspace, Map<string, number>>();

/**
 * The conversation of these people, which is added if it does not exist yet. The ids must be
 * ascending.
 */
async function conversationOf(workspace: Workspace, userIds: readonly number[]): Promise<number> {
  const idsByPeople = conversations.get(workspace) ?? new Map<string, number>();
  conversations.set(workspace, idsByPeople);
  const user_ids = userIds.join(",");
  const found = idsByPeople.get(user_ids);
  if (found !== undefined) return found;
  const id = workspace.writer.nextId("conversations");
  idsByPeople.set(user_ids, id);
  await workspace.writer.add("conversations", { id, user_ids });
  for (const user_id of userIds) {
    await workspace.writer.add("conversation_members", { user_id, conversation_id: id });
  }
  return id;
}

/** Meanings of the names in the texts. */
export const namesIn = ({ people, channelNames, emoji }: Workspace): SlackNames => ({
  person: (id) => people.get(id),
  channel: (id) => channelNames.get(id),
  emoji: (name) => emoji.nameOf(name),
});
