import { isSystemGroupName } from "../../core/group-setting";
import { prepareRealm } from "../../management/organization/create";
import { userDefaultRefusal } from "../../people/settings/defaults";
import { namesChannel } from "../../realm/channel-settings";
import {
  isRealmSettingName,
  type RealmSettingName,
  realmSettingFromWire,
  realmSettings,
  validateRealmSetting,
} from "../../realm/settings";
import {
  type DeclaredHolders,
  type DeclaredPermissions,
  readHolders,
} from "./declared-permissions";
import {
  type DeclaredRealmPictures,
  readRealmPictures,
  realmPictureKeys,
} from "./declared-pictures";
import { hintOf, isMapping, type Node, openMapping, requireText } from "./decode";
import type { Path, Source } from "./problems";

export interface DeclaredRealm {
  name: string;
  host: string;
  /** By the protocol's names, without the prefix `realm_`, as on the wire. */
  settings: Record<string, unknown>;
  /**
   * Permissions that name groups and people, who are there only when the rest of the plan is done.
   */
  permissions: DeclaredPermissions<RealmSettingName>;
  /** Settings that name a channel, likewise: its name by the setting's. */
  channels: ReadonlyMap<string, string>;
  /** Settings that new users start with, by the protocol's names. */
  userDefaults: Record<string, unknown>;
  pictures: DeclaredRealmPictures;
}

type DeclaredSettings = Pick<DeclaredRealm, "settings" | "permissions" | "channels">;

const none: DeclaredSettings = { settings: {}, permissions: new Map(), channels: new Map() };

/** Reads the part `realm`; what is wrong is noted with its place. */
export function readRealm(root: Node, source: Source): DeclaredRealm {
  const { problems, fields } = root;
  if (fields.realm === undefined) {
    problems.push({ path: [], message: "'realm' is missing: {name: …, host: …}." });
    return { name: "", host: "", ...none, userDefaults: {}, pictures: {} };
  }
  const keys = ["name", "host", "settings", "user_defaults", ...realmPictureKeys];
  const node = openMapping(problems, ["realm"], fields.realm, "realm", keys);
  const name = requireText(
    node,
    "name",
    (text) => prepareRealm({ name: text, host: "localhost" }).name,
  );
  const host = requireText(node, "host", (text) => prepareRealm({ name: "any", host: text }).host);
  const pictures = readRealmPictures(node, source);
  return { name, host, ...readSettings(node), userDefaults: readUserDefaults(node), pictures };
}

/** The place in the file of a setting. */
export const settingPath = (name: string): Path => ["realm", "settings", name];

function readSettings({ fields, problems }: Node): DeclaredSettings {
  const path = ["realm", "settings"];
  const given = fields.settings ?? {};
  if (!isMapping(given)) {
    problems.push({
      path,
      message: "settings must be a mapping from names of settings to values.",
    });
    return none;
  }
  const node = { path, fields: given, problems };
  const settings: Record<string, unknown> = {};
  const permissions = new Map<RealmSettingName, DeclaredHolders>();
  const channels = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    const name = key.replace(/^realm_/, "");
    if (!isRealmSettingName(name)) {
      const hint = hintOf(key, Object.keys(realmSettings));
      const message = `unknown key '${key}' in settings: an organization has no such setting.${hint}`;
      problems.push({ path: [...path, key], message });
      continue;
    }
    const rule = realmSettings[name];
    if (namesChannel(name) && typeof value === "string") channels.set(name, value.trim());
    else if (rule.type === "group" && (Array.isArray(value) || isNameOfHolder(value))) {
      permissions.set(name, readHolders(node, key, rule.permission) ?? []);
    } else settings[name] = readPlain(node, key, name);
  }
  return { settings, permissions, channels };
}

const isNameOfHolder = (value: unknown) => typeof value === "string" && !isSystemGroupName(value);

function readPlain({ path, fields, problems }: Node, key: string, name: RealmSettingName): unknown {
  const wanted = realmSettingFromWire(name, fields[key]);
  const message = validateRealmSetting(name, wanted);
  if (message !== undefined) problems.push({ path: [...path, key], message });
  return wanted;
}

function readUserDefaults({ fields, problems }: Node): Record<string, unknown> {
  const path = ["realm", "user_defaults"];
  const given = fields.user_defaults ?? {};
  if (!isMapping(given)) {
    problems.push({
      path,
      message: "user_defaults must be a mapping from names of settings to values.",
    });
    return {};
  }
  for (const [name, value] of Object.entries(given)) {
    const message = userDefaultRefusal(name, value);
    if (message !== undefined) problems.push({ path: [...path, name], message });
  }
  return given;
}
