import { and, eq } from "drizzle-orm";
import { roles } from "../../../core/rights/role";
import { renderDescription } from "../../../markdown/render";
import {
  isUserSettingName,
  userSettings,
  validateUserSetting,
} from "../../../people/settings/user-settings";
import { avatarSources } from "../../../people/users/avatar";
import { isPlaceholderEmail } from "../../../people/users/queries";
import { fieldTypes } from "../../../protocol/profile-field-types";
import { systemGroupNames } from "../../../protocol/system-groups";
import { type Given, givenNumber, givenText } from "../json";
import { cleanedName } from "../people";
import type { StagedRow } from "../stage-writer";
import { mapMarkdown } from "../texts";
import { settingFromArchive } from "./codes";
import { groupSettings } from "./permissions";
import { takeAvatar } from "./pictures";
import {
  namedGroupsOf,
  orderedTableOf,
  ownIds,
  personOf,
  type Source,
  secondsOf,
  tableOf,
  withRealmVisibility,
} from "./source";

const rolesKnown: readonly number[] = Object.values(roles);
/** Types of profile fields whose values are Markdown. */
const renderedTypes = [fieldTypes.shortText, fieldTypes.paragraph];
/** Types of profile fields by whose values people may be found. */
const matchedTypes = [fieldTypes.shortText, fieldTypes.externalAccount];
const incomingWebhook = 2;

/** Imports people and bots with their settings, and maps the system bots. */
export async function takePeople(source: Source): Promise<void> {
  await findSystemBots(source);
  const profiles = tableOf(source, "zerver_userprofile");
  const fields = new Map(
    orderedTableOf(source, "zerver_customprofilefield").map((one) => [givenNumber(one["id"]), one]),
  );
  const valuesByUser = Map.groupBy(tableOf(source, "zerver_customprofilefieldvalue"), (one) =>
    givenNumber(one["user_profile"]),
  );
  for (const given of [...profiles, ...tableOf(source, "zerver_userprofile_mirrordummy")]) {
    if (givenNumber(given["id"]) < 1) source.report.add("zerver_userprofile", "?", "have no id");
    else
      await takePerson(
        source,
        given,
        profileOf(source, fields, valuesByUser.get(givenNumber(given["id"])) ?? []),
      );
  }
  for (const [index, field] of [...fields.values()].entries())
    await takeField(source, field, index);
}

/**
 * Maps the system bots of the export: Notification Bot here replaces all of them, except the bot
 * for mail.
 */
async function findSystemBots({ writer, realm, systemBots }: Source) {
  await writer.change(async ({ db, t: { users } }) => {
    const isOwn = and(eq(users.realmId, writer.realmId), eq(users.isSystemBot, true));
    const own = await db.select().from(users).where(isOwn);
    const gateway = own.find(({ fullName }) => fullName === "Email Gateway");
    const speaker = own.find(({ id }) => id !== gateway?.id);
    const given = Array.isArray(realm["zerver_userprofile_crossrealm"])
      ? realm["zerver_userprofile_crossrealm"]
      : [];
    for (const { id, email } of given) {
      const bot = /gateway/.test(String(email)) ? gateway : speaker;
      if (bot) systemBots.set(givenNumber(id), bot.id);
    }
  });
}

/**
 * Imports a person with their delivery address as e-mail address. Until their first sign-in here,
 * the person counts as imported (`is_imported_stub`).
 */
async function takePerson(source: Source, given: Given, profile_data: string) {
  const { accounts, people } = source;
  const isBot = given["is_bot"] === true;
  const isDeleted = given["is_deleted"] === true && !isBot;
  const id = givenNumber(given["id"]) + ownIds;
  const avatar = await takeAvatar(source, givenNumber(given["id"]));
  const person = await accounts.add(
    {
      which: givenNumber(given["id"]),
      email: isDeleted ? "" : addressOf(source, given),
      role: roleOf(given),
      isBot,
      fullName: givenText(given["full_name"]),
      isActive: given["is_active"] === true && !isDeleted,
      timezone: givenText(given["timezone"]),
      createdAt: secondsOf(given["date_joined"]),
      ownerId: isBot && given["bot_owner"] ? givenNumber(given["bot_owner"]) + ownIds : null,
    },
    {
      id,
      // An incoming webhook stays one, because its key may only send. Other kinds of bots become
      // generic bots, because they need data that no archive contains, such as their tokens.
      ...(isBot && given["bot_type"] === incomingWebhook ? { bot_type: incomingWebhook } : {}),
      settings: settingsOf(withRealmVisibility(source, given)),
      profile_data,
      ...(isDeleted ? { is_deleted: true, is_imported_stub: false } : {}),
      ...pictureOf(given, avatar),
    },
  );
  people.set(id, person);
}

/** Somebody's role. Very old archives have two marks in its place. */
function roleOf(given: Given): number {
  const role = rolesKnown.find((one) => one === given["role"]);
  if (role !== undefined) return role;
  if (given["is_realm_admin"] === true) return roles.administrator;
  return given["is_guest"] === true ? roles.guest : roles.member;
}

/**
 * Somebody's e-mail address; empty where the export has only a placeholder, because that would
 * name the person by an id that belongs to somebody else here.
 */
function addressOf({ texts: { host } }: Source, given: Given): string {
  const address = givenText(given["delivery_email"]) || givenText(given["email"]);
  return isPlaceholderEmail({ host: host.from }, address) ? "" : address;
}

/**
 * Columns for somebody's picture. Without an imported picture it comes from Gravatar, or the server
 * generates one.
 */
function pictureOf(given: Given, avatar: string | undefined): StagedRow {
  if (avatar !== undefined) return { avatar_file: avatar, avatar_source: avatarSources.uploaded };
  const { generated, gravatar } = avatarSources;
  return { avatar_source: given["avatar_source"] === generated ? generated : gravatar };
}

/** Somebody's settings, which an archive has in columns with the protocol's names. */
function settingsOf(given: Given): string {
  const settings = Object.entries(given)
    .map(([name, value]) => [name, settingFromArchive(name, value)] as const)
    .filter(
      ([name, value]) =>
        isUserSettingName(name) &&
        validateUserSetting(name, value) === undefined &&
        value !== userSettings[name].default,
    );
  return JSON.stringify(Object.fromEntries(settings));
}

function profileOf(
  source: Source,
  fields: ReadonlyMap<number, Given>,
  fieldValues: readonly Given[],
): string {
  const values = fieldValues.flatMap((one) => {
    const field = fields.get(givenNumber(one["field"]));
    if (!field) return [];
    const value = profileValue(source, field, one["value"]);
    const isRendered = renderedTypes.some((type) => type === field["field_type"]);
    const rendered = isRendered ? { rendered_value: renderDescription(value) } : {};
    return [[field["id"], { value, ...rendered }]];
  });
  return JSON.stringify(Object.fromEntries(values));
}

function profileValue(source: Source, field: Given, value: unknown): string {
  if (field["field_type"] !== fieldTypes.users) return mapMarkdown(source.texts, givenText(value));
  const ids: unknown = Array.isArray(value)
    ? value
    : JSON.parse(/^\[[\d, ]*\]$/.test(givenText(value)) ? givenText(value) : "[]");
  return JSON.stringify(Array.isArray(ids) ? ids.map((id) => givenNumber(id) + ownIds) : []);
}

function takeField({ writer }: Source, field: Given, index: number) {
  return writer.add("profile_fields", {
    id: givenNumber(field["id"]),
    type: givenNumber(field["field_type"]) || 1,
    position: index + 1,
    name: givenText(field["name"]),
    hint: givenText(field["hint"]),
    field_data: givenText(field["field_data"]),
    is_in_summary: field["display_in_profile_summary"] === true,
    is_required: field["required"] === true,
    is_editable_by_user: field["editable_by_user"] !== false,
    is_for_matching:
      field["use_for_user_matching"] === true &&
      matchedTypes.some((type) => type === field["field_type"]),
  });
}

/** Finds the system groups, which exist here already. Their members follow from the roles. */
async function findSystemGroups({ writer, groups }: Source, named: readonly Given[]) {
  await writer.change(async ({ db, t: { userGroups } }) => {
    const isSystem = and(eq(userGroups.realmId, writer.realmId), eq(userGroups.isSystem, true));
    const rows = await db.select().from(userGroups).where(isSystem);
    const ids = new Map(rows.map(({ name, id }) => [name, id]));
    for (const given of named) {
      const id = given["is_system_group"] === true ? ids.get(givenText(given["name"])) : undefined;
      if (id !== undefined) groups.set(givenNumber(given["usergroup_ptr"] ?? given["id"]), id);
    }
  });
}

/** Imports the groups that people have made. */
export async function takeGroups(source: Source): Promise<void> {
  const { writer, groups, report } = source;
  const all = namedGroupsOf(source);
  const named = all.filter((one) => one["is_system_group"] !== true);
  const ownGroups = new Map<number, number>();
  const used = new Set<string>(systemGroupNames);
  for (const given of named) {
    const id = givenNumber(given["usergroup_ptr"] ?? given["id"]);
    const name = cleanedName(givenText(given["name"]), "");
    if (name === "" || used.has(name))
      report.add("zerver_namedusergroup", String(id), "have no name, or one that is taken");
    else ownGroups.set(id, id + ownIds);
    used.add(name);
  }
  await findSystemGroups(source, all);
  for (const [id, ownId] of ownGroups) groups.set(id, ownId);
  for (const given of named) {
    const id = ownGroups.get(givenNumber(given["usergroup_ptr"] ?? given["id"]));
    if (id === undefined) continue;
    await writer.add("user_groups", {
      id,
      name: cleanedName(givenText(given["name"]), ""),
      description: givenText(given["description"]),
      is_system: false,
      is_active: given["deactivated"] !== true,
      created_at: secondsOf(given["date_created"]),
      creator_id: personOf(source, given["creator"]) ?? null,
      settings: JSON.stringify(groupSettings(source, given)),
    });
  }
  await takeMembers(source, ownGroups);
}

/** Imports the people and groups in the groups that people have made. */
async function takeMembers(source: Source, ownGroups: ReadonlyMap<number, number>) {
  const { writer, groups } = source;
  for (const one of tableOf(source, "zerver_usergroupmembership")) {
    const [group_id, user_id] = [
      ownGroups.get(givenNumber(one["user_group"])),
      personOf(source, one["user_profile"]),
    ];
    if (group_id && user_id) await writer.add("user_group_members", { group_id, user_id });
  }
  for (const one of tableOf(source, "zerver_groupgroupmembership")) {
    const group_id = ownGroups.get(givenNumber(one["supergroup"]));
    const subgroup_id = groups.get(givenNumber(one["subgroup"]));
    if (group_id && subgroup_id)
      await writer.add("user_group_subgroups", { group_id, subgroup_id });
  }
}

/** Imports the channels that bots post to and hear of unless a request names others. */
export async function takeBots(source: Source): Promise<void> {
  const channelOf = (id: unknown) => source.channels.get(givenNumber(id))?.id ?? null;
  for (const given of tableOf(source, "zerver_userprofile")) {
    const userId = personOf(source, given["id"]);
    const defaults = {
      default_sending_channel_id: channelOf(given["default_sending_stream"]),
      default_events_channel_id: channelOf(given["default_events_register_stream"]),
      default_all_public_channels: given["default_all_public_streams"] === true,
    };
    const isUsual = Object.values(defaults).every((value) => !value);
    if (userId === undefined || given["is_bot"] !== true || isUsual) continue;
    await source.writer.add("bots", { user_id: userId, ...defaults });
  }
}

/** Imports objects that belong to single people, except those about messages. */
export async function takeOwnThings(source: Source): Promise<void> {
  const { writer } = source;
  const words = new Set<string>();
  for (const one of tableOf(source, "zerver_alertword")) {
    const [user_id, word] = [personOf(source, one["user_profile"]), givenText(one["word"]).trim()];
    const key = `${user_id} ${word.toLowerCase()}`;
    if (user_id === undefined || word === "" || words.has(key)) continue;
    words.add(key);
    await writer.add("alert_words", { user_id, word, word_key: word.toLowerCase() });
  }
  for (const one of tableOf(source, "zerver_muteduser")) {
    const [user_id, muted_user_id] = [
      personOf(source, one["user_profile"]),
      personOf(source, one["muted_user"]),
    ];
    if (!user_id || !muted_user_id) continue;
    await writer.add("muted_users", {
      user_id,
      muted_user_id,
      muted_at: secondsOf(one["date_muted"]),
    });
  }
  for (const one of tableOf(source, "zerver_savedsnippet")) {
    const user_id = personOf(source, one["user_profile"]);
    if (!user_id) continue;
    await writer.add("saved_snippets", {
      id: writer.nextId("saved_snippets"),
      user_id,
      title: givenText(one["title"]),
      content: mapMarkdown(source.texts, givenText(one["content"])),
      created_at: secondsOf(one["date_created"]),
    });
  }
}
