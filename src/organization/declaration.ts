import { cleanChannelName, prepareChannel, prepareDescription } from "../channels/create";
import { channelKey } from "../channels/queries";
import { cleanText } from "../core/name";
import { findRole, type Role, roleNames } from "../core/role";
import { protocolLimits } from "../realm/limits";
import { prepareRealm } from "../realm/service";
import { isRealmSettingName, realmSettingFromWire, validateRealmSetting } from "../realm/settings";
import { userDefaultRefusal } from "../settings/defaults";
import { cleanGroupName } from "../user-groups/create";
import { cleanEmail, cleanFullName } from "../users/create";
import { emailKeyOf, isPlaceholderEmail } from "../users/queries";
import { type DeclaredBot, readBot } from "./declared-bots";
import { type DeclaredThings, readThings, thingParts } from "./declared-things";
import {
  type Node,
  openMapping,
  readFlag,
  readItems,
  readText,
  readTexts,
  refuseRepeated,
  requireText,
} from "./decode";
import { isMapping, lineOfSyntaxError, type Path, tryParse } from "./positions";
import { attempt, type Problem, refuse, type Source } from "./problems";

/** An organization as its file declares it. What is undefined was left out: it stays as it is. */
export interface Declaration extends DeclaredThings {
  realm: DeclaredRealm;
  users: DeclaredUser[];
  bots: DeclaredBot[];
  groups: DeclaredGroup[];
  channels: DeclaredChannel[];
}

export interface DeclaredRealm {
  name: string;
  host: string;
  /** By the protocol's names, without the prefix `realm_`, as on the wire. */
  settings: Record<string, unknown>;
  /** What new users start with, by the protocol's names. */
  userDefaults: Record<string, unknown>;
}

export interface DeclaredUser {
  email: string;
  name: string;
  /** A new user without one is a member. */
  role: Role | undefined;
  /** Set only for somebody who has none. */
  password: string | undefined;
}

export interface DeclaredGroup {
  name: string;
  description: string | undefined;
  members: string[] | undefined;
  subgroups: string[] | undefined;
}

export interface DeclaredChannel {
  name: string;
  description: string | undefined;
  private: boolean | undefined;
  sharedHistory: boolean | undefined;
  default: boolean | undefined;
  /** The name of the folder that it is in; null for none. */
  folder: string | null | undefined;
  /** All active people but guests, or exactly those with these e-mail addresses. */
  subscribers: "all" | string[] | undefined;
}

const parts = ["realm", "users", "bots", "groups", "channels", ...thingParts];
const descriptionLengthMax = 1024;

/**
 * Reads an organization's file. Refuses it (BAD_REQUEST) with all that can be told to be wrong without knowing what is
 * stored, each with its line: unknown keys, wrong types, bad values, the same name twice, groups that contain each other.
 */
export function parseDeclaration(source: Source): Declaration {
  const parsed = tryParse(source.text);
  if (!parsed) {
    const line = lineOfSyntaxError(source.text);
    throw refuse(source, [{ path: [], line, message: "this is not valid YAML from here on." }]);
  }
  const problems: Problem[] = repeatedParts(source.text);
  const root = openMapping(problems, [], parsed.value, "an organization", parts);
  const declaration = {
    realm: readRealm(root),
    users: readItems(root, "users").map((item) => readUser(problems, item)),
    bots: readItems(root, "bots").map((item) => readBot(problems, item)),
    groups: readItems(root, "groups").map((item) => readGroup(problems, item)),
    channels: readItems(root, "channels").map((item) => readChannel(problems, item)),
    ...readThings(root),
  };
  checkNames(declaration, problems);
  checkCircles(declaration, problems);
  if (problems.length > 0) throw refuse(source, problems);
  return declaration;
}

/** A key that stands twice would silently hide what came first. */
function repeatedParts(text: string): Problem[] {
  const isRepeated = (part: string) => [...text.matchAll(new RegExp(`^["']?${part}["']?[ \\t]*:`, "gm"))].length > 1;
  return parts.filter(isRepeated).map((part) => ({ path: [part], message: `${part} is there twice.` }));
}

function readRealm(root: Node): DeclaredRealm {
  const { problems, fields } = root;
  if (fields.realm === undefined) {
    problems.push({ path: [], message: "'realm' is missing: {name: …, host: …}." });
    return { name: "", host: "", settings: {}, userDefaults: {} };
  }
  const node = openMapping(problems, ["realm"], fields.realm, "realm", ["name", "host", "settings", "user_defaults"]);
  const name = requireText(node, "name", (text) => prepareRealm({ name: text, host: "localhost" }).name);
  const host = requireText(node, "host", (text) => prepareRealm({ name: "any", host: text }).host);
  return { name, host, settings: readSettings(node), userDefaults: readUserDefaults(node) };
}

function readSettings({ fields, problems }: Node): Record<string, unknown> {
  const path = ["realm", "settings"];
  const given = fields.settings ?? {};
  if (!isMapping(given)) {
    problems.push({ path, message: "settings must be a mapping from names of settings to values." });
    return {};
  }
  const settings: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const name = key.replace(/^realm_/, "");
    if (!isRealmSettingName(name)) {
      problems.push({
        path: [...path, key],
        message: `unknown key '${key}' in settings: an organization has no such setting.`,
      });
      continue;
    }
    const wanted = realmSettingFromWire(name, value);
    const refusal = validateRealmSetting(name, wanted);
    if (refusal !== undefined) problems.push({ path: [...path, key], message: refusal });
    settings[name] = wanted;
  }
  return settings;
}

function readUserDefaults({ fields, problems }: Node): Record<string, unknown> {
  const path = ["realm", "user_defaults"];
  const given = fields.user_defaults ?? {};
  if (!isMapping(given)) {
    problems.push({ path, message: "user_defaults must be a mapping from names of settings to values." });
    return {};
  }
  for (const [name, value] of Object.entries(given)) {
    const message = userDefaultRefusal(name, value);
    if (message !== undefined) problems.push({ path: [...path, name], message });
  }
  return given;
}

interface Item {
  path: Path;
  value: unknown;
}

function readUser(problems: Problem[], { path, value }: Item): DeclaredUser {
  const node = openMapping(problems, path, value, "a user", ["email", "name", "role", "password"]);
  const role = readText(node, "role", (text) => text);
  if (role !== undefined && findRole(role) === undefined) {
    problems.push({ path: [...path, "role"], message: `there is no role '${role}'. Roles: ${roleNames.join(", ")}.` });
  }
  const password = readText(node, "password", (text) => text);
  checkPassword(node, password);
  return {
    email: requireText(node, "email", cleanEmail),
    name: requireText(node, "name", cleanFullName),
    role: role === undefined ? undefined : findRole(role),
    password,
  };
}

function checkPassword({ problems, path }: Node, password: string | undefined) {
  const { passwordMinLength: min, passwordMaxLength: max } = protocolLimits;
  const length = password === undefined ? min : [...password].length;
  if (length >= min && length <= max) return;
  problems.push({ path: [...path, "password"], message: `a password must have ${min} to ${max} characters.` });
}

function readGroup(problems: Problem[], { path, value }: Item): DeclaredGroup {
  const node = openMapping(problems, path, value, "a group", ["name", "description", "members", "subgroups"]);
  const cleanDescription = (text: string) => cleanText("The group's description", text, descriptionLengthMax);
  return {
    name: requireText(node, "name", cleanGroupName),
    description: readText(node, "description", cleanDescription),
    members: readTexts(node, "members", (text) => text.trim()),
    subgroups: readTexts(node, "subgroups", (text) => text.trim()),
  };
}

const channelKeys = ["name", "description", "private", "shared_history", "default", "folder", "subscribers"];

function readChannel(problems: Problem[], { path, value }: Item): DeclaredChannel {
  const node = openMapping(problems, path, value, "a channel", channelKeys);
  const channel = {
    name: requireText(node, "name", cleanChannelName),
    description: readText(node, "description", (text) => prepareDescription(text).description),
    private: readFlag(node, "private"),
    sharedHistory: readFlag(node, "shared_history"),
    default: readFlag(node, "default"),
    folder: node.fields.folder === null ? null : readText(node, "folder", (text) => text.trim()),
    subscribers: readSubscribers(node),
  };
  if (channel.sharedHistory === false && channel.private !== true) {
    problems.push({
      path: [...path, "shared_history"],
      message: "the history of a public channel is open to everybody.",
    });
  }
  attempt(problems, [...path, "default"], () =>
    prepareChannel({ name: "any", inviteOnly: channel.private, isDefault: channel.default }),
  );
  return channel;
}

function readSubscribers(node: Node): DeclaredChannel["subscribers"] {
  const { fields, path, problems } = node;
  if (fields.subscribers === "all") return "all";
  if (typeof fields.subscribers === "string") {
    problems.push({
      path: [...path, "subscribers"],
      message: "subscribers must be 'all' or a list of e-mail addresses.",
    });
    return undefined;
  }
  return readTexts(node, "subscribers", (text) => text.trim());
}

function checkNames({ realm, users, bots, groups, channels }: Declaration, problems: Problem[]) {
  const accounts = [
    ...users.map(({ email }, index) => ({ path: ["users", index, "email"], name: emailKeyOf(email), shown: email })),
    ...bots.map(({ email }, index) => ({ path: ["bots", index, "email"], name: emailKeyOf(email), shown: email })),
  ].filter(({ name }) => name !== "");
  refuseRepeated(problems, accounts);
  for (const { path, shown } of accounts.filter(({ name }) => isPlaceholderEmail(realm, name))) {
    problems.push({
      path,
      message: `${shown} stands for a user whose real address is not shown. Use another address.`,
    });
  }
  const namesOf = (part: string, items: { name: string }[], keyOf: (name: string) => string) =>
    items
      .map(({ name }, index) => ({ path: [part, index, "name"], name: keyOf(name), shown: `'${name}'` }))
      .filter(({ name }) => name !== "");
  refuseRepeated(
    problems,
    namesOf("bots", bots, (name) => name),
  );
  refuseRepeated(
    problems,
    namesOf("groups", groups, (name) => name),
  );
  refuseRepeated(problems, namesOf("channels", channels, channelKey));
}

/** Notes each declared group that contains itself, be it through others. */
function checkCircles({ groups }: Declaration, problems: Problem[]) {
  const subgroupsOf = new Map(groups.map(({ name, subgroups }) => [name, subgroups ?? []]));
  groups.forEach(({ name }, index) => {
    const seen = new Set<string>();
    let level = subgroupsOf.get(name) ?? [];
    while (level.length > 0) {
      for (const one of level) seen.add(one);
      level = level.flatMap((one) => subgroupsOf.get(one) ?? []).filter((one) => !seen.has(one));
    }
    if (seen.has(name))
      problems.push({ path: ["groups", index, "subgroups"], message: `the group '${name}' contains itself.` });
  });
}
