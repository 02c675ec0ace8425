import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { nullable } from "../../core/params";
import { type UserRule, userSettings } from "./user-settings";

/** A setting as the protocol shows it. */
function settingObject(rule: UserRule): TSchema {
  switch (rule.type) {
    case "boolean":
      return "nullable" in rule ? nullable(Type.Boolean()) : Type.Boolean();
    case "integer":
      return Type.Integer({ minimum: rule.min, maximum: rule.max });
    case "choice":
      return typeof rule.default === "string"
        ? Type.String({ enum: [...rule.values] })
        : Type.Integer({ enum: [...rule.values] });
  }
}

const settings: TProperties = Object.fromEntries(
  Object.entries<UserRule>(userSettings).map(([name, rule]) => [name, settingObject(rule)]),
);

/** Initial settings of a new user, and the choices that clients offer for some of them. */
export const userDefaultsObject = Type.Object(
  {
    ...settings,
    available_notification_sounds: Type.Array(Type.String()),
    emojiset_choices: Type.Array(Type.Object({ key: Type.String(), text: Type.String() })),
  },
  { title: "UserDefaults" },
);

/** Settings of the actor. */
export const userSettingsObject = Type.Object(
  {
    ...userDefaultsObject.properties,
    timezone: Type.String({ description: "IANA time zone; empty where it is not known." }),
  },
  { title: "UserSettings" },
);
