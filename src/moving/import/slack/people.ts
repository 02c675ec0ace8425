import { roles } from "../../../core/rights/role";
import { type Given, givenList, givenNumber, givenRecord, givenText, givenTexts } from "../json";
import type { ZipFile } from "../zip";
import { dayForm } from "./days";
import { profileRow } from "./profile";
import type { SlackPerson, Workspace } from "./workspace";

/**
 * Imports the people. Owners come first, because the first owner owns the bots. Everybody who can
 * sign in here comes before deactivated people and those of other workspaces, because the first of
 * several people with one address gets it. Bots come last.
 */
export async function readPeople(workspace: Workspace, users: readonly Given[]) {
  const home =
    users.find((user) => user["is_primary_owner"] === true) ??
    users.find((user) => user["is_owner"] === true);
  const roleHere = (user: Given) => (isForeign(user, home) ? undefined : roleOf(user));
  const rankOf = (user: Given) => {
    if (isBot(user)) return botRank;
    const role = roleHere(user);
    return role === undefined || user["deleted"] === true ? withoutSignInRank : role;
  };
  for (const user of users.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const key = givenText(user["id"]);
    if (key === "" || workspace.people.has(key))
      workspace.report.add("users.json", key, "has no id, or a repeated one");
    else await addPerson(workspace, key, user, roleHere(user));
  }
}

/** Ranks in the order of people, after those of roles. */
const [withoutSignInRank, botRank] = [1_000, 2_000];

const isBot = (user: Given) => user["is_bot"] === true || user["id"] === "USLACKBOT";

/**
 * Whether somebody belongs to another workspace than its owner does. Such people are in the export
 * because workspaces can share channels. An enterprise has several workspaces, which count as one.
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
 * Adds a person. A person without a role is from another workspace: they have written here, but
 * nobody can sign in as them.
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
  const account = {
    which: key,
    email: givenText(profile["email"]),
    fullName: names.find((name) => name.trim() !== "") ?? "",
    role: role ?? roles.guest,
    isBot: isBot(user),
    timezone: timezoneOf(user),
    createdAt: givenNumber(user["updated"]),
    // Bots are deactivated, because no program uses them here.
    isActive: user["deleted"] !== true && !isBot(user) && role !== undefined,
    ownerId: isBot(user) ? workspace.ownerId : null,
  };
  const person = await workspace.accounts.add(account, {
    ...profileRow(workspace, key, profile),
    ...(await workspace.pictures.avatarOf(key, profile)),
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

/**
 * Adds accounts for the people in a conversation who have none yet, because the people of a
 * conversation identify it.
 */
export async function addStrangersIn(workspace: Workspace, given: Given, folder: string) {
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

/** The profiles of some people in a folder. Each is from the person's first message there. */
async function profilesIn(
  { zip }: Workspace,
  folder: string,
  keys: ReadonlySet<string>,
): Promise<Map<string, Given>> {
  const profiles = new Map<string, Given>();
  for (const name of filesOf(zip).get(folder) ?? []) {
    // A file that cannot be read is reported later, when its messages are imported.
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

/** The names of the files with messages, by folder, in the order of their days. */
function filesOf(zip: ZipFile): Map<string, string[]> {
  const cachedFiles = filesByFolder.get(zip);
  if (cachedFiles) return cachedFiles;
  const days = [...zip.names].filter((name) => dayForm.test(name)).sort();
  const files = Map.groupBy(days, (name) => name.slice(0, name.indexOf("/")));
  filesByFolder.set(zip, files);
  return files;
}

/**
 * The sender of a message; undefined for an unknown sender. A bot without an account gets an
 * account. So does a stranger: a person of another workspace, whom the export names only in
 * messages.
 */
export async function senderOf(
  workspace: Workspace,
  message: Given,
): Promise<SlackPerson | undefined> {
  const key = givenText(message["user"]) || fileSenderOf(message);
  const person = workspace.people.get(key);
  if (person) return person;
  const stranger = givenRecord(message["user_profile"]);
  if (key !== "" && message["bot_id"] === undefined) {
    return addStranger(workspace, key, stranger, Math.floor(Number(message["ts"])));
  }
  return botOf(workspace, message);
}

/**
 * The id of somebody who shared a file or commented on it; empty if it is not in the message. Until
 * 2018 such messages had no sender of their own.
 */
function fileSenderOf(message: Given): string {
  if (message["bot_id"] !== undefined || givenText(message["username"]) !== "") return "";
  const [comment, file] = [givenRecord(message["comment"]), givenRecord(message["file"])];
  return givenText(comment["user"]) || givenText(file["user"]);
}

/**
 * A person by their id in Slack. A person who has no account, and is only mentioned, is added as a
 * stranger.
 */
export async function personWith(workspace: Workspace, key: string): Promise<SlackPerson> {
  return workspace.people.get(key) ?? addStranger(workspace, key, {}, 0);
}

/**
 * Adds a stranger as a deactivated guest. The name is from their profile; without one it contains
 * their id.
 */
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
    which: key,
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
