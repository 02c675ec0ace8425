/** The one place of the web client that asks the time: milliseconds since 1970. */
export const now = (): number => Date.now();
