/** Roles in an organization, by their numbers in the protocol: a lower number is a higher role. */
export const roles = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
} as const;
