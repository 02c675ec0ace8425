import type { Event, Playground, ProfileField, Register } from "./wire";

/** The custom profile fields of the organization, in their order. */
export const profileFieldsFrom = (register: Register): readonly ProfileField[] =>
  register.custom_profile_fields;

export const applyProfileFields = (fields: readonly ProfileField[], event: Event) =>
  event.type === "custom_profile_fields" ? event.fields : fields;

/** Code playgrounds, in which code of a language can be run. */
export const playgroundsFrom = ({ realm_playgrounds }: Register): readonly Playground[] =>
  realm_playgrounds;

export const applyPlaygrounds = (playgrounds: readonly Playground[], event: Event) =>
  event.type === "realm_playgrounds" ? event.realm_playgrounds : playgrounds;
