/** Types of profile fields (`docs/protocol/specification.md`, Other records). */
export const fieldTypes = {
  shortText: 1,
  paragraph: 2,
  dropdown: 3,
  date: 4,
  link: 5,
  users: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;
