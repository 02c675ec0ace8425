/** The only place of the web client that reads the clock (milliseconds since 1970). */
export const now = (): number => Date.now();
