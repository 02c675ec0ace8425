import type { Config } from "../../config/config";
import type { RealmRow } from "../../core/context";
import { parseRealmSettings } from "../../realm/settings";
import { avatarSources } from "./avatar";

/** Source of default avatars: the organization's choice, if the server uses Gravatar. */
export const defaultAvatarSource = (
  { gravatarEnabled }: Pick<Config, "gravatarEnabled">,
  { settings }: Pick<RealmRow, "settings">,
): string =>
  gravatarEnabled ? parseRealmSettings(settings).default_avatar_source : avatarSources.generated;
