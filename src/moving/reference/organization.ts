import { asc } from "drizzle-orm";
import { isStoredGroupSetting } from "../../core/rights/group-setting";
import { parseUserSettings } from "../../people/settings/user-settings";
import { pictureSources } from "../../realm/assets";
import { isRealmSettingName, parseRealmSettings, realmSettings } from "../../realm/settings";
import { channelColumns, settingForArchive } from "../import/reference/codes";
import type { ArchiveRow } from "./archive-file";
import type { PermissionGroups } from "./groups";
import { numbered } from "./numbered";
import { archivedUserSettings } from "./people";
import type { Snapshot } from "./snapshot";

/** The type of plan that self-hosted servers have. */
const selfHosted = 1;

/** The organization itself, its defaults for new people, and the objects that belong to it. */
export async function organizationTables(
  snapshot: Snapshot,
  groups: PermissionGroups,
): Promise<Record<string, ArchiveRow[]>> {
  const { reader, realm } = snapshot;
  const { db, t } = reader;
  const domains = await db.select().from(t.realmDomains);
  const linkifiers = await db.select().from(t.linkifiers).orderBy(asc(t.linkifiers.position));
  const playgrounds = await db.select().from(t.playgrounds);
  return {
    zerver_realm: [await realmRow(snapshot, groups)],
    zerver_realmuserdefault: [
      { id: 1, realm: realm.id, ...archivedUserSettings(parseUserSettings(realm.userDefaults)) },
    ],
    zerver_realmauthenticationmethod: [{ id: 1, realm: realm.id, name: "Email" }],
    zerver_realmdomain: domains.map(({ id, domain, allowSubdomains }) => ({
      id,
      realm: realm.id,
      domain,
      allow_subdomains: allowSubdomains,
    })),
    zerver_realmfilter: linkifiers.map((one, order) => ({
      id: one.id,
      realm: realm.id,
      pattern: one.pattern,
      url_template: one.urlTemplate,
      order,
      example_input: one.exampleInput,
      reverse_template: one.reverseTemplate,
      alternative_url_templates: JSON.parse(one.alternativeUrlTemplates),
    })),
    zerver_realmplayground: playgrounds.map((one) => ({
      id: one.id,
      realm: realm.id,
      name: one.name,
      pygments_language: one.pygmentsLanguage,
      url_template: one.urlTemplate,
    })),
    zerver_realmexport: [],
    zerver_realmemoji: await emojiRows(snapshot),
    zerver_customprofilefield: await fieldRows(snapshot),
  };
}

async function realmRow({ reader, realm }: Snapshot, groups: PermissionGroups) {
  const channels = await reader.db.select({ id: reader.t.channels.id }).from(reader.t.channels);
  const channelIds = new Set(channels.map(({ id }) => id));
  const settings = Object.entries(parseRealmSettings(realm.settings)).map(([name, value]) => {
    const column = channelColumns[name];
    if (column !== undefined)
      return [column, typeof value === "number" && channelIds.has(value) ? value : null];
    const isGroup = isRealmSettingName(name) && realmSettings[name].type === "group";
    return isGroup && isStoredGroupSetting(value)
      ? [name, groups.idOf(value)]
      : [name, settingForArchive(name, value)];
  });
  const picture = (file: string | null, other: string) =>
    file === null ? other : pictureSources.uploaded;
  return {
    id: realm.id,
    name: realm.name,
    string_id: realm.host.split(".")[0],
    date_created: realm.createdAt,
    deactivated: !realm.isActive,
    plan_type: selfHosted,
    icon_source: picture(realm.iconFile, pictureSources.generated),
    logo_source: picture(realm.logoFile, pictureSources.ours),
    night_logo_source: picture(realm.nightLogoFile, pictureSources.ours),
    ...Object.fromEntries(settings),
  };
}

/**
 * The emoji of the organization. An archive requires an author of each, so an emoji without one
 * gets the first owner as its author.
 */
async function emojiRows({ reader, realm }: Snapshot) {
  const { db, t } = reader;
  const people = await db.select().from(t.users).orderBy(asc(t.users.role), asc(t.users.id));
  const first = people.find(({ isSystemBot, isActive }) => isActive && !isSystemBot);
  const rows = await db.select().from(t.realmEmoji).orderBy(asc(t.realmEmoji.id));
  return rows.map((one) => ({
    id: one.id,
    realm: realm.id,
    author: one.authorId ?? first?.id ?? null,
    name: one.name,
    file_name: one.fileName,
    is_animated: one.isAnimated,
    deactivated: one.activeName === null,
  }));
}

async function fieldRows({ reader, realm }: Snapshot) {
  const { profileFields } = reader.t;
  const rows = await reader.db.select().from(profileFields).orderBy(asc(profileFields.position));
  return rows.map((one, index) => ({
    id: one.id,
    realm: realm.id,
    name: one.name,
    hint: one.hint,
    order: index + 1,
    display_in_profile_summary: one.isInSummary,
    required: one.isRequired,
    field_type: one.type,
    field_data: one.fieldData,
    editable_by_user: one.isEditableByUser,
    use_for_user_matching: one.isForMatching,
  }));
}

/** Tables that are empty in each archive, because chatd does not store their rows. */
export const emptyTables = (): Record<string, ArchiveRow[]> =>
  Object.fromEntries(
    [
      "zerver_userprofile_mirrordummy",
      "zerver_onboardingusermessage",
      "zerver_useractivity",
      "zerver_useractivityinterval",
      "zerver_externalauthid",
    ].map((name) => [name, numbered([])]),
  );
