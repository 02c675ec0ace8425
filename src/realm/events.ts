import { Type } from "@sinclair/typebox";
import { event } from "../events/define";
import { realmSettings, type SettingRule } from "./settings";
import { shownSettings } from "./shown-settings";

/** Settings that the protocol announces in the form of permissions (`update_dict`). */
const toldAsPermissions: ReadonlySet<string> = new Set([
  "allow_message_editing",
  "description",
  "message_content_edit_limit_seconds",
  "topics_policy",
]);

const rules = Object.entries<SettingRule>(realmSettings);

const toldInDictionary = Object.fromEntries(
  rules.filter(([name, { type }]) => type === "group" || toldAsPermissions.has(name)),
);

export const isToldInDictionary = (name: string) => Object.hasOwn(toldInDictionary, name);

const toldAlone = [
  "name",
  ...Object.keys(realmSettings).filter((name) => !isToldInDictionary(name)),
];

/** A setting of the organization, or its name, has a new value. To the realm. */
export const realmPropertyUpdated = event("realm", "update", {
  property: Type.String({ enum: toldAlone }),
  value: Type.Unsafe<unknown>(
    Type.Union([Type.Boolean(), Type.Integer(), Type.String(), Type.Null()]),
  ),
});

/**
 * Settings of the organization that the protocol announces together have new values. To the realm.
 */
export const realmUpdated = event("realm", "update_dict", {
  property: Type.Literal("default"),
  data: Type.Partial(
    Type.Object({
      ...shownSettings(toldInDictionary),
      mandatory_topics: Type.Boolean({
        description: "For older clients, instead of `topics_policy`.",
      }),
    }),
  ),
});

/** The organization is deactivated: the last event of its log. To the realm. */
export const realmDeactivated = event("realm", "deactivated", { realm_id: Type.Integer() });
