import { daySeconds, isoTime } from "../src/core/clock";
import type { App, RealmRow } from "../src/core/context";
import { operatorContext } from "../src/core/operator";
import type { Declared } from "../src/moving/organization/declaration";
import { emailKeyOf, listUsers } from "../src/people/users/queries";
import { createLoginLinks } from "../src/sign-in/login-links";
import type { PrivateFile } from "./credentials-file";

const lifeSeconds = 7 * daySeconds;

/**
 * Writes a login link for each declared person who has no password and has never signed in, for the
 * operator to hand out. Each works once, within a week; answers their number.
 */
export async function writeLoginLinks(
  file: PrivateFile,
  app: App,
  { realm, declared }: { realm: RealmRow; declared: Declared },
): Promise<number> {
  const emails = new Set(declared.declaration.users.map(({ email }) => emailKeyOf(email)));
  const awaited = (await listUsers(app.engine.reader, realm.id)).filter(
    ({ emailKey, isActive, awaitsFirstSignIn, passwordHash }) =>
      emails.has(emailKey) && isActive && awaitsFirstSignIn && passwordHash === null,
  );
  const links = await createLoginLinks(operatorContext(app, realm), awaited, lifeSeconds);
  const people = awaited.map(({ email, fullName }, index) => ({
    email,
    full_name: fullName,
    url: links[index]?.url,
    expires_at: isoTime(links[index]?.expiresAt ?? 0),
  }));
  file.write({ realm: realm.name, people });
  return people.length;
}
