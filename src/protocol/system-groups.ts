/** The groups that every realm has. Their members follow from the roles of its users. */
export const systemGroupNames = [
  "role:internet",
  "role:everyone",
  "role:members",
  "role:fullmembers",
  "role:moderators",
  "role:administrators",
  "role:owners",
  "role:nobody",
] as const;

export type SystemGroupName = (typeof systemGroupNames)[number];
