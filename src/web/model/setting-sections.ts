/** The sections of the settings, in order, as they are in addresses: `#settings/profile`. */
export const sectionNames = [
  "profile",
  "appearance",
  "notifications",
  "reading",
  "privacy",
  "account",
  "muted",
  "alerts",
  "export",
  "organization",
] as const;

export type SectionName = (typeof sectionNames)[number];

/** The section in an address; the first section if the address names none. */
export const sectionOf = (part: string): SectionName =>
  sectionNames.find((name) => name === part) ?? "profile";
