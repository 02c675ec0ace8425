/** Sections of one's own settings, in their order: `#settings/profile`. */
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

/** The section that an address names; the first one where it names none. */
export const sectionOf = (part: string): SectionName =>
  sectionNames.find((name) => name === part) ?? "profile";
