/** Programs whose exports can be imported. */
export const importSources = ["chatd", "slack", "zulip"] as const;

export type ImportSource = (typeof importSources)[number];
