import type { UserRow } from "../core/context";

/** What somebody told in a profile field, as the protocol shows it. */
export type ProfileValue = { value: string; rendered_value?: string };

/** What somebody told in profile fields, by the field's id. */
export function parseProfileData({ profileData }: Pick<UserRow, "profileData">): Record<string, ProfileValue> {
  return profileData === "{}" ? {} : JSON.parse(profileData);
}
