import { roles } from "../../../core/role";
import { nameFromSlack } from "../../../emoji/slack-names";
import { pickColor } from "../../../management/subscriptions/colors";
import { avatarSources } from "../../../people/users/avatar";
import { newRealmRow } from "../../../realm/new-realm";
import { type Given, givenList, givenNumber, givenRecord, givenText, givenTexts } from "../json";
import { cleanedName, People } from "../people";
import type { SkipReport } from "../report";
import type { StageWriter } from "../stage-writer";
import type { ZipFile } from "../zip";
import { markdownOfSlack, type SlackNames, withoutTokens } from "./text";

export interface SlackPerson {
  id: number;
  fullName: string;
  isActive: boolean;
}

/** Place for the messages of a folder of the export. */
export interface SlackPlace {
  folder: string;
  channelId: number | null;
  conversationId: number | null;
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
  /** Bots without an account that have written, by their ids and names. */
  bots: Map<string, SlackPerson>;
  accounts: People;
  places: SlackPlace[];
  channelNames: Map<string, string>;
  channelIds: Map<string, number>;
  emojiAliases: Map<string, string>;
  ownerId: number | null;
}

/** A file with the messages of a day. */
export const dayForm = /^([^/]+)\/(\d{4}-\d{2}-\d{2})\.json$/;

const list = async (zip: ZipFile, name: string) => givenList(await zip.json(name));

/** Imports people, channels and conversations. */
export async function readWorkspace(
  writer: StageWriter,
  zip: ZipFile,
  report: SkipReport,
  host: string,
): Promise<Workspace> {
  // Imported people are new here, and so is the organization.
  const newcomer = { settings: newRealmRow().userDefaults, avatar_source: avatarSources.generated };
  const accounts = new People(writer, host, newcomer);
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
    emojiAliases: await readAliases(zip),
    ownerId: null,
  };
  await readPeople(workspace);
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

/** Alias names of emoji; an export does not contain custom pictures. */
async function readAliases(zip: ZipFile): Promise<Map<string, string>> {
  const given = Object.entries(givenRecord(await zip.json("emoji.json")));
  return new Map(
    given.flatMap(([name, value]) => {
      const [, alias] = /^alias:(.+)$/.exec(givenText(value)) ?? [];
      return alias === undefined ? [] : [[name, alias] as const];
    }),
  );
}

/** Owners first, because they own the bots. */
async function readPeople(workspace: Workspace) {
  const users = await list(workspace.zip, "users.json");
  const home =
    users.find((user) => user["is_primary_owner"] === true) ??
    users.find((user) => user["is_owner"] === true);
  const roleHere = (user: Given) => (isForeign(user, home) ? undefined : roleOf(user));
  const rankOf = (user: Given) => (isBot(user) ? 1_000 : (roleHere(user) ?? roles.guest));
  for (const user of users.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const key = givenText(user["id"]);
    if (key === "" || workspace.people.has(key))
      workspace.report.add("users.json", key, "has no id of its own");
    else await addPerson(workspace, key, user, roleHere(user));
  }
}

const isBot = (user: Given) => user["is_bot"] === true || user["id"] === "USLACKBOT";

/**
 * Whether somebody belongs to another workspace than its owner, because channels can be shared; an
 * enterprise has several workspaces.
 */
function isForeign(user: Given, home: Given | undefined): boolean {
  if (user["is_stranger"] === true) return true;
  const [team, ownTeam] = [givenText(user["team_id"]), givenText(home?.["team_id"])];
  if (team === ownTeam || team === "" || ownTeam === "") return false;
  const [enterprise, own] = [user, home].map((one) => givenRecord(one?.["enterprise_user"]));
  const enterpriseId = givenText(enterprise?.["enterprise_id"]);
  return enterpriseId === "" || enterpriseId !== givenText(own?.["enterprise_id"]);
}

function roleOf(user: Given): number {
  if (user["is_owner"] === true || user["is_primary_owner"] === true) return roles.owner;
  if (user["is_admin"] === true) return roles.administrator;
  return user["is_restricted"] === true || user["is_ultra_restricted"] === true
    ? roles.guest
    : roles.member;
}

/**
 * Somebody without a role is from another workspace: they have written here, but nobody signs in as
 * them.
 */
async function addPerson(
  workspace: Workspace,
  key: string,
  user: Given,
  role: number | undefined,
): Promise<SlackPerson> {
  const profile = givenRecord(user["profile"]);
  const names = [
    profile["real_name"],
    user["real_name"],
    profile["display_name"],
    user["name"],
  ].map(givenText);
  const person = await workspace.accounts.add({
    email: givenText(profile["email"]),
    fullName: names.find((name) => name.trim() !== "") ?? "",
    role: role ?? roles.guest,
    isBot: isBot(user),
    timezone: timezoneOf(user),
    createdAt: givenNumber(user["updated"]),
    // Bots are deactivated, because no program uses them here.
    isActive: user["deleted"] !== true && !isBot(user) && role !== undefined,
    ownerId: isBot(user) ? workspace.ownerId : null,
  });
  workspace.people.set(key, person);
  workspace.byId.set(person.id, person);
  const botId = givenText(profile["bot_id"]);
  if (botId !== "") workspace.bots.set(botId, person);
  if (!isBot(user) && role !== undefined && workspace.ownerId === null)
    workspace.ownerId = person.id;
  return person;
}

function timezoneOf(user: Given): string {
  const zone = givenText(user["tz"]);
  return /^[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+){0,2}$/.test(zone) ? zone : "";
}

const membersOf = (workspace: Workspace, given: Given) =>
  [...new Set(givenTexts(given["members"]))].flatMap((key) => workspace.people.get(key) ?? []);

const descriptionLengthMax = 1_000;

/** Number of somebody's channels so far, for the colors. */
const subscribed = new WeakMap<Workspace, Map<number, number>>();

async function addChannel(workspace: Workspace, given: Given, isPrivate: boolean) {
  const { writer, report, channelNames } = workspace;
  const folder = givenText(given["name"]);
  const name = cleanedName(folder, "");
  const names = [...channelNames.values()].map((one) => one.toLowerCase());
  if (name === "" || names.includes(name.toLowerCase())) {
    report.add(isPrivate ? "groups.json" : "channels.json", folder, "has no name of its own");
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
  for (const { id: userId } of membersOf(workspace, given)) await subscribe(workspace, userId, id);
  for (const pin of givenList(given["pins"]))
    report.add(
      "pins",
      `${folder} ${givenText(pin["id"])}`,
      "are not kept: stars are each person's",
    );
  workspace.places.push({ folder, channelId: id, conversationId: null, createdAt });
}

/** Purpose and present topic of a channel in one line, without markup of Slack. */
function descriptionOf(workspace: Workspace, given: Given): string {
  const texts = [given["purpose"], given["topic"]].map((one) =>
    markdownOfSlack(givenText(givenRecord(one)["value"]), namesIn(workspace)).replace(/\s+/g, " "),
  );
  const about = [...new Set(texts.map(withoutTokens))].filter((one) => one !== "").join(" – ");
  const characters = [...about];
  if (characters.length > descriptionLengthMax)
    workspace.report.add("channels", givenText(given["name"]), "have a shortened description");
  return characters.slice(0, descriptionLengthMax).join("");
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
  const members = membersOf(workspace, given).toSorted((a, b) => a.id - b.id);
  if (folder === "" || members.length === 0) {
    workspace.report.add("dms.json", folder, "has nobody in it");
    return;
  }
  const conversationId = await conversationOf(
    workspace,
    members.map(({ id }) => id),
  );
  workspace.places.push({
    folder,
    channelId: null,
    conversationId,
    createdAt: givenNumber(given["created"]),
  });
}

/**
 * Accounts for the strangers in a conversation, because a conversation is identified by its people.
 */
async function addStrangersIn(workspace: Workspace, given: Given, folder: string) {
  const keys = givenTexts(given["members"]).filter(
    (key) => key !== "" && !workspace.people.has(key),
  );
  const strangers = new Set(keys);
  if (strangers.size === 0) return;
  const profiles = await profilesIn(workspace, folder, strangers);
  for (const key of strangers) {
    await addStranger(workspace, key, profiles.get(key) ?? {}, givenNumber(given["created"]));
  }
}

/** The profiles of some people in a folder, each from their first message there. */
async function profilesIn(
  { zip }: Workspace,
  folder: string,
  keys: ReadonlySet<string>,
): Promise<Map<string, Given>> {
  const profiles = new Map<string, Given>();
  for (const name of filesOf(zip).get(folder) ?? []) {
    // An unreadable file is reported when its messages are imported.
    for (const message of givenList(await zip.json(name).catch(() => []))) {
      const [key, profile] = [givenText(message["user"]), givenRecord(message["user_profile"])];
      if (keys.has(key) && !profiles.has(key) && givenText(profile["name"]) !== "")
        profiles.set(key, profile);
    }
    if (profiles.size === keys.size) break;
  }
  return profiles;
}

const filesByFolder = new WeakMap<ZipFile, Map<string, string[]>>();

/** The files with messages, by folder, in the order of their days. */
function filesOf(zip: ZipFile): Map<string, string[]> {
  const cachedFiles = filesByFolder.get(zip);
  if (cachedFiles) return cachedFiles;
  const days = [...zip.names].filter((name) => dayForm.test(name)).sort();
  const files = Map.groupBy(days, (name) => name.slice(0, name.indexOf("/")));
  filesByFolder.set(zip, files);
  return files;
}

const conversations = new WeakMap<Workspace, Map<string, number>>();

/** The only conversation of some people, whose ids are ascending. */
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

/**
 * Sender of a message. A bot without an account gets one, and so does a stranger: somebody of
 * another workspace, whom the export knows only by their messages. Undefined for an unknown sender.
 */
export async function senderOf(
  workspace: Workspace,
  message: Given,
): Promise<SlackPerson | undefined> {
  const key = givenText(message["user"]);
  const person = workspace.people.get(key);
  if (person) return person;
  const stranger = givenRecord(message["user_profile"]);
  if (key !== "" && message["bot_id"] === undefined) {
    return addStranger(workspace, key, stranger, Math.floor(Number(message["ts"])));
  }
  return botOf(workspace, message);
}

/** A person by their id in Slack; one who is only named somewhere becomes a stranger. */
export async function personWith(workspace: Workspace, key: string): Promise<SlackPerson> {
  return workspace.people.get(key) ?? addStranger(workspace, key, {}, 0);
}

/** Adds a stranger as a deactivated guest, named by their profile, or else by their number. */
function addStranger(workspace: Workspace, key: string, profile: Given, updated: number) {
  return addPerson(workspace, key, { id: key, profile, updated }, undefined);
}

async function botOf(workspace: Workspace, message: Given): Promise<SlackPerson | undefined> {
  const profile = givenRecord(message["bot_profile"]);
  const name = givenText(profile["name"]) || givenText(message["username"]);
  const key = givenText(message["bot_id"]) || name;
  if (key === "") return undefined;
  const existing = workspace.bots.get(key);
  if (existing) return existing;
  const bot = await workspace.accounts.add({
    email: "",
    fullName: name || `Bot ${key}`,
    role: roles.member,
    isActive: false,
    isBot: true,
    ownerId: workspace.ownerId,
    createdAt: Math.floor(Number(message["ts"])),
  });
  workspace.bots.set(key, bot);
  workspace.byId.set(bot.id, bot);
  return bot;
}

/** Meanings of the names in the texts. */
export const namesIn = ({ people, channelNames, emojiAliases }: Workspace): SlackNames => ({
  person: (id) => people.get(id),
  channel: (id) => channelNames.get(id),
  emoji: (name) => knownEmoji(emojiAliases, name) ?? name,
});

/** The name here of an emoji in Slack; undefined if it is unknown here. */
export function knownEmoji(aliases: ReadonlyMap<string, string>, name: string): string | undefined {
  const plain = name.split("::")[0] ?? name;
  return nameFromSlack(aliases.get(plain) ?? plain);
}
