/** Programs that a file can be an export of. */
export const importSources = ["chatd", "slack", "reference"] as const;

export type ImportSource = (typeof importSources)[number];
