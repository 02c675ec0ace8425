import { isoTime } from "../../src/core/clock";
import { loadAccount } from "../../src/moving/organization/lookup";
import { endedKeysText, issueApiKey, listApiKeys, revokeApiKey } from "../../src/sign-in/api-keys";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printNotice, printResult } from "../output";
import { readId } from "../read-id";
import { orWhereListed } from "../where-listed";

/**
 * `chatd admin api-key issue EMAIL [--label LABEL]`: prints the key, which cannot be shown again.
 */
export async function issueKey(email: string, options: RealmOptions & { label: string }) {
  const { user, issued } = await withOperator(options, async (ctx) => {
    const account = await loadAccount(ctx, email);
    return { user: account, issued: await issueApiKey(ctx, account.id, options.label) };
  });
  const { id, apiKey, ended } = issued;
  printResult(
    options,
    { id, user_id: user.id, email: user.email, label: options.label, api_key: apiKey },
    [apiKey],
  );
  const notice = endedKeysText(ended);
  if (notice !== undefined) printNotice(notice);
}

/** `chatd admin api-key list EMAIL` */
export async function listKeys(email: string, options: RealmOptions) {
  const keys = await withOperator(options, async (ctx) =>
    listApiKeys(ctx, (await loadAccount(ctx, email)).id),
  );
  const shown = keys.map(({ id, userId, label, createdAt, lastUsedAt }) => ({
    id,
    user_id: userId,
    label,
    created_at: createdAt,
    last_used_at: lastUsedAt,
  }));
  const rows = keys.map(({ id, label, createdAt, lastUsedAt }) => [
    String(id),
    label,
    isoTime(createdAt),
    lastUsedAt === null ? "" : isoTime(lastUsedAt),
  ]);
  printResult(
    options,
    { api_keys: shown },
    formatTable(["ID", "LABEL", "ISSUED", "LAST USED (ABOUT)"], rows),
  );
}

/** `chatd admin api-key revoke ID`: ends the key, and the connections that it opened. */
export async function revokeKey(id: string, options: RealmOptions) {
  const keyId = readId(id);
  await withOperator(options, (ctx) =>
    orWhereListed("api-key list EMAIL", revokeApiKey(ctx, keyId)),
  );
  printResult(options, { id: keyId }, [`Revoked the API key ${id}.`]);
}
