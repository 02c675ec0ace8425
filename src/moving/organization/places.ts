import { channelKey } from "../../channels/queries";
import { emailKeyOf } from "../../people/users/queries";
import type { Change } from "./changes";
import type { Declaration } from "./declaration";
import { settingPath } from "./declared-realm";
import type { Path } from "./problems";
import type { ThingChange } from "./thing-changes";

/** Place in the file that declares a change: the item of its list, or the setting. */
export function placeOf(declaration: Declaration, change: Change): Path {
  const { groups, channels, emoji } = declaration;
  const group = (name: string) => item("groups", groups, (one) => one.name === name);
  const channel = (name: string) =>
    item("channels", channels, (one) => channelKey(one.name) === channelKey(name));
  switch (change.kind) {
    case "addRealm":
      return ["realm"];
    case "changeRealm":
      return settingsPlace(Object.keys(change.values));
    case "nameInRealm":
      return settingsPlace([...change.permissions.keys(), ...change.channels.keys()]);
    case "changeUserDefaults":
      return ["realm", "user_defaults"];
    case "setRealmPicture":
      return ["realm", change.picture];
    case "addEmoji":
    case "replaceEmoji":
      return item("emoji", emoji, ({ name }) => name === change.name, "file");
    case "addGroup":
      return group(change.group.name);
    case "reactivateGroup":
    case "describeGroup":
    case "changeGroupPermissions":
      return group(change.name);
    case "changeMembers":
    case "changeSubgroups":
      return group(change.group);
    case "addChannel":
      return channel(change.channel.name);
    case "changeChannel":
      return channel(change.name);
    case "subscribe":
    case "unsubscribe":
      return [...channel(change.channel), "subscribers"];
    default:
      return placeOfRest(declaration, change);
  }
}

type AccountKind =
  | "addUser"
  | "addBot"
  | "changeBot"
  | "renameUser"
  | "changeRole"
  | "reactivateUser"
  | "setPassword";
type RestChange = ThingChange | Extract<Change, { kind: AccountKind }>;

function placeOfRest(declaration: Declaration, change: RestChange): Path {
  const { domains, linkifiers, playgrounds, profile_fields: fields, folders } = declaration;
  switch (change.kind) {
    case "addDomain":
    case "changeDomain":
      return item("domains", domains, (one) => one === change.domain);
    case "addLinkifier":
    case "changeLinkifier":
      return item("linkifiers", linkifiers, (one) => one === change.linkifier);
    case "addPlayground":
    case "changePlayground":
      return item("playgrounds", playgrounds, (one) => one === change.playground);
    case "addProfileField":
    case "changeProfileField":
      return item("profile_fields", fields, (one) => one === change.field);
    case "addFolder":
      return item("folders", folders, (one) => one === change.folder);
    case "describeFolder":
      return item(
        "folders",
        folders,
        ({ name }) => name.toLowerCase() === change.name.toLowerCase(),
      );
    case "addUser":
      return placeOfAccount(declaration, change.user.email);
    case "addBot":
      return placeOfAccount(declaration, change.bot.email);
    default:
      return placeOfAccount(declaration, change.email);
  }
}

function placeOfAccount({ users, bots }: Declaration, email: string): Path {
  const isSame = (one: { email: string }) => emailKeyOf(one.email) === emailKeyOf(email);
  return users.some(isSame) ? item("users", users, isSame) : item("bots", bots, isSame);
}

function item<Item>(
  part: string,
  items: readonly Item[],
  isIt: (one: Item) => boolean,
  ...rest: string[]
): Path {
  const index = items.findIndex(isIt);
  return index < 0 ? [part] : [part, index, ...rest];
}

/** One setting by its own line; which of several it is, its refusal says. */
function settingsPlace([only, ...others]: readonly string[]): Path {
  return only !== undefined && others.length === 0 ? settingPath(only) : ["realm", "settings"];
}
