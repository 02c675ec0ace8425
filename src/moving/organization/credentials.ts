import type { Context, Tx } from "../../core/context";
import { type RoleName, roleName } from "../../core/rights/role";
import { emailKeyOf } from "../../people/users/queries";
import { endedKeysText, issueApiKeyIn, listApiKeys, revokeApiKeyIn } from "../../sign-in/api-keys";
import type { Stored } from "./stored";

/**
 * An account in the credentials file. Programs read that file to find the keys of the accounts that
 * they use.
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
 * Label of API keys in a credentials file. Keys with this label are replaced when a new file is
 * written.
 */
const label = "credentials";

/**
 * New keys for the credentials file, and sentences about keys that ended: those of an earlier file,
 * and each other key whose owner had too many.
 */
interface IssuedCredentials {
  credentials: Credential[];
  notices: string[];
}

/**
 * Issues a key to each of these people and bots. Their keys from an earlier credentials file are
 * revoked, and the event queues that were opened with these keys end. `ctx` reads with `tx`.
 */
export async function issueCredentials(
  tx: Tx,
  ctx: Context,
  { stored, emails }: { stored: Stored; emails: readonly string[] },
): Promise<IssuedCredentials> {
  const rows = new Map(stored.users.map((row) => [row.emailKey, row]));
  const credentials: Credential[] = [];
  const notices: string[] = [];
  let replacedCount = 0;
  for (const email of emails) {
    const row = rows.get(emailKeyOf(email));
    if (!row) throw new Error(`'${email}' was declared, but is not there.`);
    const former = (await listApiKeys(ctx, row.id)).filter((key) => key.label === label);
    for (const key of former) await revokeApiKeyIn(tx, ctx, key.id);
    replacedCount += former.length;
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
  if (replacedCount > 0)
    notices.unshift(
      `The API keys of an earlier credentials file have ended (${replacedCount}). Programs need those of the new file.`,
    );
  return { credentials, notices };
}
