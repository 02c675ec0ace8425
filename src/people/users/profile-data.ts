import { type Static, Type } from "@sinclair/typebox";
import type { UserRow } from "../../core/context";

/** Somebody's value of a profile field, as the protocol shows it. */
export const profileValueObject = Type.Object(
  {
    value: Type.String({ description: "For a field of users: their ids as a list in JSON." }),
    rendered_value: Type.Optional(Type.String({ description: "HTML, for fields with Markdown." })),
  },
  { title: "ProfileValue" },
);

export type ProfileValue = Static<typeof profileValueObject>;

/** Values of somebody's profile fields, by the field's id. */
export function parseProfileData({
  profileData,
}: Pick<UserRow, "profileData">): Record<string, ProfileValue> {
  return profileData === "{}" ? {} : JSON.parse(profileData);
}
