import { audited, auditedIf, auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { RunCommand, runCommand } from "../../people/settings/commands";
import {
  UpdateUserSettingsDefaults,
  updateUserSettingsDefaults,
} from "../../people/settings/defaults";
import { UpdateSettings, updateSettings } from "./service";

/** Older clients send their changes to the last two. */
const ownPaths = ["/settings", "/settings/display", "/settings/notifications"];

export const settingsEndpoints = [
  ...ownPaths.map((path) =>
    endpoint({
      method: "PATCH",
      path,
      audit: auditedIf(
        "it changes a name, an address, a password or settings of others",
        "user.update",
        "user.change_password",
      ),
      summary: "Changes your account and settings.",
      who: "user",
      callers: "people",
      input: UpdateSettings,
      output: noFields,
      verb: updateSettings,
    }),
  ),
  endpoint({
    method: "POST",
    path: "/zcommand",
    summary: "Runs a command that you have typed instead of a message.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: RunCommand,
    output: noFields,
    verb: runCommand,
  }),
  endpoint({
    method: "PATCH",
    path: "/realm/user_settings_defaults",
    summary: "Changes the initial settings of new users.",
    who: "administrator",
    audit: audited("realm.update_defaults"),
    input: UpdateUserSettingsDefaults,
    output: noFields,
    verb: updateUserSettingsDefaults,
  }),
];
