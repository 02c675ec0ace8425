/** The environment without what would configure chatd. */
export function cleanEnvironment(
  extra: Record<string, string> = {},
): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CHATD_"));
  return { ...Object.fromEntries(inherited), ...extra };
}
