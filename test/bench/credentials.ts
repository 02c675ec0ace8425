/** A user of the bench: `authorization` is the value of the Basic header. */
export type Credential = { email: string; name: string; key: string; authorization: string };

/** The password of the first user, who signs in with a browser; the others have none. */
export const sessionPassword = "correct-horse-battery";

/** Number of users of the bench's organization. */
export const userCount = 64;

/** Reads a credentials file as `chatd serve --credentials` writes it; bots are left out. */
export function decodeCredentials(json: string): Credential[] {
  const file = JSON.parse(json) as {
    users: { email: string; full_name: string; api_key: string; is_bot: boolean }[];
  };
  return file.users
    .filter((user) => !user.is_bot)
    .map((user) => ({
      email: user.email,
      name: user.full_name,
      key: user.api_key,
      authorization: `Basic ${Buffer.from(`${user.email}:${user.api_key}`).toString("base64")}`,
    }));
}

function userEmail(index: number): string {
  return `user${index + 1}@example.com`;
}

/** The credentials file that the floor reads: the users of the load, with keys made up here. */
export function formatFloorCredentials(): string {
  const users = Array.from({ length: userCount }, (_, index) => ({
    email: userEmail(index),
    full_name: `User ${index + 1}`,
    role: "member",
    user_id: index + 1,
    api_key: String(index + 1).padStart(32, "k"),
    is_bot: false,
  }));
  return JSON.stringify({ site: "http://localhost", realm: "Bench", users });
}

/**
 * The organization file that chatd applies: an owner and members, one channel with everybody in it.
 */
export function formatOrganization(): string {
  const users = Array.from({ length: userCount }, (_, index) => {
    const role = index === 0 ? "owner" : "member";
    const password = index === 0 ? `, password: ${sessionPassword}` : "";
    return `  - {email: ${userEmail(index)}, name: User ${index + 1}, role: ${role}${password}}`;
  });
  return [
    "realm: {name: Bench, host: 127.0.0.1}",
    "users:",
    ...users,
    "channels:",
    '  - {name: general, description: "", default: true, subscribers: all}',
    "",
  ].join("\n");
}
