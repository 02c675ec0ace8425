import type { Declarable } from "./declarable";
import { bots } from "./declarables/bots";
import { channels } from "./declarables/channels";
import { defaultGroups } from "./declarables/default-groups";
import { domains } from "./declarables/domains";
import { emoji } from "./declarables/emoji";
import { folders } from "./declarables/folders";
import { groups } from "./declarables/groups";
import { linkifiers } from "./declarables/linkifiers";
import { playgrounds } from "./declarables/playgrounds";
import { profileFields } from "./declarables/profile-fields";
import { realm } from "./declarables/realm";
import { realmPictures } from "./declarables/realm-pictures";
import { namingSettings, settings } from "./declarables/settings";
import { users } from "./declarables/users";

/** Everything that can be declared, in the order in which it is planned and carried out. */
export const declarables: readonly Declarable[] = [
  // First, because everything else belongs to it.
  realm,
  // Before the settings, one of which needs them.
  domains,
  // Before the people, because new ones start with the declared defaults.
  settings,
  linkifiers,
  playgrounds,
  profileFields,
  // Before the channels in them.
  folders,
  realmPictures,
  emoji,
  // Before everything that names people.
  users,
  // After their owners.
  bots,
  // After the people and bots in them.
  groups,
  // After the groups that hold their permissions and the people in them.
  channels,
  // After the channels in them.
  defaultGroups,
  // After the people, groups and channels that they name.
  namingSettings,
];
