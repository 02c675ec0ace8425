import { asc } from "drizzle-orm";
import { isRecord } from "../../core/json/record";
import { extraEmojiType, unicodeEmojiType } from "../../emoji/emoji-types";
import { parseUserSettings, type UserSettings } from "../../people/settings/user-settings";
import { avatarSources } from "../../people/users/avatar";
import { settingForArchive } from "../import/reference/codes";
import type { SkipReport } from "../import/report";
import type { ArchiveRow } from "./archive-file";
import type { Clients } from "./clients";
import { numbered } from "./numbered";
import type { Snapshot } from "./snapshot";

/** Value of the setting for an e-mail address that everybody may see. */
const everyone = 1;
const embedded = 4;
const outgoing = 3;
const gateway = "Email Gateway";

type UserRow = Awaited<ReturnType<typeof readUsers>>[number];

const readUsers = async ({ reader }: Snapshot) =>
  reader.db.select().from(reader.t.users).orderBy(asc(reader.t.users.id));

/** Somebody's settings as columns of an archive. */
export function archivedUserSettings(settings: Readonly<UserSettings>): ArchiveRow {
  const entries = Object.entries(settings).map(([name, value]) => [
    name,
    settingForArchive(name, value),
  ]);
  return {
    ...Object.fromEntries(entries),
    // An archive can contain neither a choice that is left to the client nor the older images of
    // emoji.
    twenty_four_hour_time: settings.twenty_four_hour_time ?? false,
    emojiset: settings.emojiset === "google-blob" ? "google" : settings.emojiset,
  };
}

/** People, bots, and facts about them. */
export async function peopleTables(
  snapshot: Snapshot,
  { clients, left, now }: { clients: Clients; left: SkipReport; now: number },
): Promise<Record<string, ArchiveRow[]>> {
  const { reader } = snapshot;
  const users = await readUsers(snapshot);
  const bots = await reader.db.select().from(reader.t.bots);
  const botOf = new Map(bots.map((bot) => [bot.userId, bot]));
  const own = users.filter(({ isSystemBot }) => !isSystemBot);
  return {
    zerver_userprofile: own.map((user) => profileRow(snapshot, user, botOf.get(user.id))),
    zerver_userprofile_crossrealm: users
      .filter(({ isSystemBot }) => isSystemBot)
      .map(({ id, fullName }) => ({
        id,
        email: fullName === gateway ? "emailgateway@zulip.com" : "notification-bot@zulip.com",
      })),
    zerver_customprofilefieldvalue: await fieldValues(snapshot, own),
    ...(await botTables(snapshot, own)),
    ...(await presenceTables(snapshot)),
    zerver_userstatus: await statusRows(snapshot, { clients, left, now }),
  };
}

type BotRow = Snapshot["reader"]["t"]["bots"]["$inferSelect"];

function profileRow({ realm, file }: Snapshot, user: UserRow, bot: BotRow | undefined): ArchiveRow {
  const settings = parseUserSettings(user.settings);
  const domain = realm.host.includes(".") ? realm.host : `${realm.host}.invalid`;
  const isShown = settings.email_address_visibility === everyone;
  const isUploaded = user.avatarSource === avatarSources.uploaded;
  const hasPicture = user.avatarFile !== null && file(`${user.avatarFile}-avatar-original`);
  return {
    id: user.id,
    realm: realm.id,
    ...archivedUserSettings(settings),
    delivery_email: user.email,
    email: isShown ? user.email : `user${user.id}@${domain}`,
    full_name: user.fullName,
    date_joined: user.createdAt,
    last_login: null,
    is_superuser: false,
    is_staff: false,
    is_active: user.isActive,
    is_bot: user.botType !== null,
    bot_type: user.botType,
    bot_owner: user.botOwnerId,
    role: user.role,
    long_term_idle: false,
    last_active_message_id: null,
    is_mirror_dummy: false,
    is_imported_stub: user.isImportedStub,
    is_deleted: user.isDeleted,
    last_reminder: null,
    default_all_public_streams: bot?.defaultAllPublicChannels ?? false,
    default_events_register_stream: bot?.defaultEventsChannelId ?? null,
    default_sending_stream: bot?.defaultSendingChannelId ?? null,
    timezone: user.timezone,
    avatar_source: isUploaded && !hasPicture ? avatarSources.gravatar : user.avatarSource,
    avatar_version: user.avatarVersion,
    groups: [],
    user_permissions: [],
  };
}

async function fieldValues({ reader }: Snapshot, users: readonly UserRow[]) {
  const fields = await reader.db.select().from(reader.t.profileFields);
  const fieldIds = new Set(fields.map(({ id }) => id));
  return numbered(
    users.flatMap((user) =>
      Object.entries(parsed(user.profileData)).flatMap(([id, given]) =>
        isRecord(given) && typeof given["value"] === "string" && fieldIds.has(Number(id))
          ? {
              user_profile: user.id,
              field: Number(id),
              value: given["value"],
              rendered_value: given["rendered_value"] ?? null,
            }
          : [],
      ),
    ),
  );
}

function parsed(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return isRecord(value) ? value : {};
}

async function botTables({ reader }: Snapshot, users: readonly UserRow[]) {
  const { db, t } = reader;
  const bots = await db.select().from(t.bots);
  const storage = await db.select().from(t.botStorage);
  const kindOf = new Map(users.map((user) => [user.id, user]));
  const services = bots.flatMap((bot) => {
    const user = kindOf.get(bot.userId);
    const isService = user?.botType === outgoing || user?.botType === embedded;
    return isService ? { bot, name: bot.serviceName ?? user.fullName } : [];
  });
  return {
    zerver_service: numbered(
      services.map(({ bot, name }) => ({
        user_profile: bot.userId,
        name,
        base_url: bot.payloadUrl,
        token: "",
        interface: bot.interfaceType,
      })),
    ),
    zerver_botconfigdata: numbered(
      bots.flatMap(({ userId, configData }) =>
        Object.entries(parsed(configData)).map(([key, value]) => ({
          bot_profile: userId,
          key,
          value: String(value),
        })),
      ),
    ),
    zerver_botstoragedata: numbered(
      storage.map(({ userId, key, value }) => ({ bot_profile: userId, key, value })),
    ),
  };
}

async function presenceTables({ reader, realm }: Snapshot) {
  const rows = await reader.db.select().from(reader.t.userPresences);
  const last = rows.reduce((newest, { updateId }) => Math.max(newest, updateId), 0);
  return {
    zerver_presencesequence: [{ id: 1, realm: realm.id, last_update_id: last }],
    zerver_userpresence: numbered(
      rows.map(({ userId, activeAt, connectedAt, updateId }) => ({
        realm: realm.id,
        user_profile: userId,
        last_active_time: activeAt,
        last_connected_time: connectedAt,
        last_update_id: updateId,
      })),
    ),
  };
}

/** The type of an emoji in an archive; the type of Unicode emoji for a row without an emoji. */
export function archivedEmojiType(type: string): string {
  if (type === extraEmojiType) return "zulip_extra_emoji";
  return type === "" ? unicodeEmojiType : type;
}

/**
 * Statuses that do not end by themselves. The others are left out, because the format has no time
 * of the end, so they would stay for ever.
 */
async function statusRows(
  { reader }: Snapshot,
  { clients, left, now }: { clients: Clients; left: SkipReport; now: number },
) {
  const rows = await reader.db.select().from(reader.t.userStatuses);
  const passing = rows.filter(({ endsAt }) => endsAt !== null);
  for (const { userId } of passing)
    left.add("statuses", userId, "the format cannot store when they end");
  return numbered(
    rows
      .filter(({ endsAt }) => endsAt === null)
      .map((one) => ({
        user_profile: one.userId,
        client: clients.idOf("chatd"),
        timestamp: now,
        status_text: one.statusText,
        emoji_name: one.emojiName,
        emoji_code: one.emojiCode,
        reaction_type: archivedEmojiType(one.reactionType),
      })),
  );
}
