import type { Context, Tx } from "../../core/context";
import { type RoleName, roleName } from "../../core/role";
import { emailKeyOf } from "../../people/users/queries";
import { endedKeysText, issueApiKeyIn, listApiKeys, revokeApiKeyIn } from "../../sign-in/api-keys";
import type { Stored } from "./stored";

/**
 * An account in the credentials file, in which programs find the keys of the accounts that they
 * use.
 */
export interface Credential {
  email: string;
  full_name: string;
  role: RoleName;
  user_id: number;
  api_key: string;
  is_bot: boolean;
}

/**
 * The key's label marks the keys of the last credentials file, which those of a new one replace.
 */
const label = "credentials";

/**
 * New keys for the credentials file, and a sentence for each other key that ended because somebody
 * had too many.
 */
interface IssuedCredentials {
  credentials: Credential[];
  notices: string[];
}

/**
 * Issues a key to each of these people and bots; keys that were issued so before are revoked, with
 * the event queues that they opened. `ctx` reads with `tx`.
 */
export async function issueCredentials(
  tx: Tx,
  ctx: Context,
  { stored, emails }: { stored: Stored; emails: readonly string[] },
): Promise<IssuedCredentials> {
  const rows = new Map(stored.users.map((row) => [row.emailKey, row]));
  const credentials: Credential[] = [];
  const notices: string[] = [];
  for (const email of emails) {
    const row = rows.get(emailKeyOf(email));
    if (!row) throw new Error(`'${email}' was declared, but is not there.`);
    for (const key of await listApiKeys(ctx, row.id))
      if (key.label === label) await revokeApiKeyIn(tx, ctx, key.id);
    const { apiKey, ended } = await issueApiKeyIn(tx, ctx, row.id, label);
    const endedText = endedKeysText(ended);
    if (endedText !== undefined) notices.push(`${row.email}: ${endedText}`);
    credentials.push({
      email: row.email,
      full_name: row.fullName,
      role: roleName(row.role),
      user_id: row.id,
      api_key: apiKey,
      is_bot: row.botType !== null,
    });
  }
  return { credentials, notices };
}
