import { eq } from "drizzle-orm";
import type { Names } from "../../../markdown/names";
import { userDefaultRefusal } from "../../../people/settings/defaults";
import { checkedSettings, withSettings } from "../../../people/settings/stored";
import { ofLanguage } from "../../../people/settings/user-settings";
import { requireLinkifier } from "../../../realm/linkifiers/validate";
import { isRealmSettingName, realmSettings, validateRealmSetting } from "../../../realm/settings";
import { type Given, givenNumber, givenText, givenTexts } from "../json";
import { channelColumns, realmPermissions, settingFromArchive } from "./codes";
import { numberedSettings, withNewColumns } from "./permissions";
import {
  groupSettingOf,
  orderedTableOf,
  realmRow,
  type Source,
  secondsOf,
  tableOf,
  withRealmVisibility,
} from "./source";

const settingNames = new Map(
  Object.entries(channelColumns).map(([name, column]) => [column, name]),
);

const historyPolicy = "message_edit_history_visibility_policy";
const resolving = "can_resolve_topics_group";
const renaming = "can_move_messages_between_topics_group";

/** Imports the organization's settings that are valid here. */
export async function takeSettings(source: Source): Promise<void> {
  const { writer } = source;
  const given = withNewColumns(realmRow(source));
  const settings: Record<string, unknown> = {};
  const numbered = numberedSettings(source, "zerver_realm", given, realmPermissions);
  const today = Object.entries(given).map(([column, value]) => {
    const name = settingNames.get(column) ?? column;
    return [name, settingOf(source, name, settingFromArchive(name, value))] as const;
  });
  const take = (name: string, setting: unknown) => {
    if (setting !== undefined && validateRealmSetting(name, setting) === undefined)
      settings[name] = setting;
  };
  // Until 10.0 this mark hid how messages were changed.
  if (given["allow_edit_history"] === false) take(historyPolicy, "none");
  for (const [name, setting] of [...Object.entries(numbered), ...today]) take(name, setting);
  // Until 10.0, to resolve a topic was to rename it.
  if (!(resolving in settings)) take(resolving, settings[renaming]);
  await writer.change(async ({ db, t: { realms } }) => {
    const createdAt = secondsOf(given["date_created"]);
    const [defaults = {}] = tableOf(source, "zerver_realmuserdefault");
    await db
      .update(realms)
      .set({
        settings: JSON.stringify(settings),
        userDefaults: userDefaultsOf(withRealmVisibility(source, defaults)),
        ...(createdAt > 0 ? { createdAt } : {}),
      })
      .where(eq(realms.id, writer.realmId));
  });
}

/** The organization's settings for new users that an organization can also set here. */
function userDefaultsOf(given: Given): string {
  const chosen = Object.entries(given)
    .map(([name, value]) => [name, settingFromArchive(name, value)] as const)
    .filter(([name, value]) => userDefaultRefusal(name, value) === undefined)
    // In an archive it is false unless somebody has changed it, so false is left out. The language
    // then decides here.
    .filter(([name, value]) => name !== ofLanguage || value !== false);
  return withSettings("{}", checkedSettings(Object.fromEntries(chosen)));
}

function settingOf(source: Source, name: string, value: unknown): unknown {
  if (!isRealmSettingName(name)) return undefined;
  if (realmSettings[name].type === "group") return groupSettingOf(source, value);
  if (/_(?:stream|channel)_id$/.test(name))
    return source.channels.has(givenNumber(value)) ? value : undefined;
  return value;
}

/** Imports domains, linkifiers and playgrounds that are valid here. */
export async function takeOrganizationThings(source: Source): Promise<void> {
  const { writer } = source;
  for (const one of tableOf(source, "zerver_realmdomain")) {
    const domain = givenText(one["domain"]).toLowerCase();
    if (domain === "") continue;
    const allow_subdomains = one["allow_subdomains"] === true;
    await writer.add("realm_domains", {
      id: writer.nextId("realm_domains"),
      domain,
      allow_subdomains,
    });
  }
  for (const one of tableOf(source, "zerver_realmplayground")) {
    await writer.add("playgrounds", {
      id: writer.nextId("playgrounds"),
      name: givenText(one["name"]),
      pygments_language: givenText(one["pygments_language"]),
      url_template: givenText(one["url_template"]) || `${givenText(one["url_prefix"])}{code}`,
    });
  }
  await takeLinkifiers(source);
}

async function takeLinkifiers(source: Source) {
  const { writer, report, names } = source;
  const taken: NonNullable<Names["linkifiers"]>[number][] = [];
  for (const one of orderedTableOf(source, "zerver_realmfilter")) {
    const pattern = givenText(one["pattern"]);
    const old = givenText(one["url_format_string"]).replace(/%\((\w+)\)s/g, "{$1}");
    const urlTemplate = givenText(one["url_template"]) || old;
    const linkifier = {
      pattern,
      urlTemplate,
      reverseTemplate: givenText(one["reverse_template"]) || null,
      exampleInput: givenText(one["example_input"]) || null,
      alternativeUrlTemplates: givenTexts(one["alternative_url_templates"]),
    };
    try {
      requireLinkifier(linkifier);
    } catch (error) {
      report.add(
        "zerver_realmfilter",
        pattern,
        error instanceof Error ? error.message : "are not valid here",
      );
      continue;
    }
    taken.push({ pattern, urlTemplate });
    await writer.add("linkifiers", {
      id: writer.nextId("linkifiers"),
      position: taken.length,
      pattern,
      url_template: urlTemplate,
      reverse_template: linkifier.reverseTemplate,
      example_input: linkifier.exampleInput,
      alternative_url_templates: JSON.stringify(linkifier.alternativeUrlTemplates),
    });
  }
  names.linkifiers = taken;
}
