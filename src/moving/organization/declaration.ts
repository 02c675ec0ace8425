import { channelKey } from "../../channels/queries";
import { cleanText } from "../../core/name";
import { findRole, type Role, roleNames } from "../../core/role";
import { cleanGroupName } from "../../management/groups/create";
import {
  type UserGroupSettingName,
  userGroupSettings,
} from "../../people/user-groups/group-settings";
import { cleanEmail } from "../../people/users/email-address";
import { cleanFullName } from "../../people/users/names";
import { emailKeyOf, isPlaceholderEmail } from "../../people/users/queries";
import { protocolLimits } from "../../realm/limits";
import { type DeclaredBot, readBot } from "./declared-bots";
import { type DeclaredChannel, readChannel } from "./declared-channels";
import { type DeclaredPermissions, readPermissions } from "./declared-permissions";
import { type DeclaredEmoji, readEmoji } from "./declared-pictures";
import { type DeclaredRealm, readRealm } from "./declared-realm";
import { type DeclaredThings, readThings, thingParts } from "./declared-things";
import {
  type Node,
  openMapping,
  readItems,
  readText,
  readTexts,
  refuseRepeated,
  requireText,
} from "./decode";
import { type Path, type Problem, refuse, type Source } from "./problems";

/** An organization as its file declares it. An undefined part was left out: it stays as it is. */
export interface Declaration extends DeclaredThings {
  realm: DeclaredRealm;
  users: DeclaredUser[];
  bots: DeclaredBot[];
  groups: DeclaredGroup[];
  channels: DeclaredChannel[];
  emoji: DeclaredEmoji[];
}

/** An organization's file as it was read. */
export interface Declared {
  source: Source;
  declaration: Declaration;
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
  permissions: DeclaredPermissions<UserGroupSettingName>;
}

const parts = ["realm", "users", "bots", "groups", "channels", ...thingParts, "emoji"];
const descriptionLengthMax = 1024;

/**
 * Reads what an organization's file says. Refuses it (BAD_REQUEST) with all that can be told to be
 * wrong without knowing what is stored, each with its place; `problems` are those of the parser.
 */
export function readDeclaration(source: Source, problems: Problem[] = []): Declared {
  const root = openMapping(problems, [], source.value, "an organization", parts);
  const declaration = {
    realm: readRealm(root, source),
    users: readItems(root, "users").map((item) => readUser(problems, item)),
    bots: readItems(root, "bots").map((item) => readBot(problems, item)),
    groups: readItems(root, "groups").map((item) => readGroup(problems, item)),
    channels: readItems(root, "channels").map((item) => readChannel(problems, item)),
    ...readThings(root),
    emoji: readEmoji(root, source),
  };
  checkNames(declaration, problems);
  checkCircles(declaration, problems);
  if (problems.length > 0) throw refuse(source, problems);
  return { source, declaration };
}

interface Item {
  path: Path;
  value: unknown;
}

function readUser(problems: Problem[], { path, value }: Item): DeclaredUser {
  const node = openMapping(problems, path, value, "a user", ["email", "name", "role", "password"]);
  const role = readText(node, "role", (text) => text);
  if (role !== undefined && findRole(role) === undefined) {
    problems.push({
      path: [...path, "role"],
      message: `there is no role '${role}'. Roles: ${roleNames.join(", ")}.`,
    });
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
  problems.push({
    path: [...path, "password"],
    message: `a password must have ${min} to ${max} characters.`,
  });
}

const groupKeys = ["name", "description", "members", "subgroups", "permissions"];

function readGroup(problems: Problem[], { path, value }: Item): DeclaredGroup {
  const node = openMapping(problems, path, value, "a group", groupKeys);
  const cleanDescription = (text: string) =>
    cleanText("The group's description", text, descriptionLengthMax);
  return {
    name: requireText(node, "name", cleanGroupName),
    description: readText(node, "description", cleanDescription),
    members: readTexts(node, "members", (text) => text.trim()),
    subgroups: readTexts(node, "subgroups", (text) => text.trim()),
    permissions: readPermissions(node, { of: "a group", table: userGroupSettings }),
  };
}

function checkNames({ realm, users, bots, groups, channels }: Declaration, problems: Problem[]) {
  const accounts = [
    ...users.map(({ email }, index) => ({
      path: ["users", index, "email"],
      name: emailKeyOf(email),
      shown: email,
    })),
    ...bots.map(({ email }, index) => ({
      path: ["bots", index, "email"],
      name: emailKeyOf(email),
      shown: email,
    })),
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
      .map(({ name }, index) => ({
        path: [part, index, "name"],
        name: keyOf(name),
        shown: `'${name}'`,
      }))
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
      level = [...new Set(level.flatMap((one) => subgroupsOf.get(one) ?? []))].filter(
        (one) => !seen.has(one),
      );
    }
    if (seen.has(name))
      problems.push({
        path: ["groups", index, "subgroups"],
        message: `the group '${name}' contains itself.`,
      });
  });
}
