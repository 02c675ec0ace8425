import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, record, text } from "../../core/params";
import { write } from "../../core/write";
import { loadManagedBot } from "../../people/bots/managed";
import { renewContext } from "../../people/users/renew-context";
import { integrations } from "./catalog";
import type { Integration } from "./integration";
import { listSecretNames } from "./queries";
import { isPublicKey } from "./signature";

const secretLengthMin = 8;
const secretLengthMax = 1_000;

/** Purpose that a secret is sealed for. */
export const secretPurpose = (botId: number, integration: string) =>
  `webhook secret of bot ${botId} for ${integration}`;

export const GetWebhookSecrets = record({ botId: id() });

export const WebhookSecretList = Type.Object({
  integrations: Type.Array(Type.String(), {
    description: "Integrations whose posts must be signed.",
  }),
});

/**
 * The integrations whose posts to a bot must be signed. Secrets themselves are never shown. Refuses
 * as `loadManagedBot` does.
 */
export async function getWebhookSecrets(
  ctx: Context,
  { botId }: Input<typeof GetWebhookSecrets>,
): Promise<Static<typeof WebhookSecretList>> {
  const bot = await loadManagedBot(ctx.reader, ctx, botId);
  return { integrations: await listSecretNames(ctx.reader, ctx.realm.id, bot.id) };
}

export const SetWebhookSecret = record({ botId: id(), integration: text(), secret: text() });

/**
 * Sets the secret that an integration's posts to a bot must be signed with, for its owner and for
 * administrators; from then on others are refused. Announced to nobody. Refuses (BAD_REQUEST) an
 * integration whose sender does not sign, a secret of less than 8 or more than 1,000 characters,
 * one that is no public key where the sender signs by key, and users as `loadManagedBot` does.
 */
export async function setWebhookSecret(
  ctx: Context,
  { botId, integration, secret }: Input<typeof SetWebhookSecret>,
): Promise<undefined> {
  const { signsByKey = false } = loadSigning(integration);
  if (secret.length < secretLengthMin || secret.length > secretLengthMax) {
    throw badRequest(`A secret has ${secretLengthMin} to ${secretLengthMax} characters.`);
  }
  if (signsByKey && !isPublicKey(secret)) {
    throw badRequest(
      `Posts of '${integration}' are signed with a private key: give the sender's public key in PEM, with the lines BEGIN and END.`,
    );
  }
  const sealedSecret = ctx.app.secrets.seal(secretPurpose(botId, integration), secret);
  await change(ctx, botId, async (tx) => {
    const key = { realmId: ctx.realm.id, userId: botId, integration };
    const { webhookSecrets } = tx.t;
    await tx.db
      .insert(webhookSecrets)
      .values({ ...key, sealedSecret })
      .onConflictDoUpdate({
        target: [webhookSecrets.realmId, webhookSecrets.userId, webhookSecrets.integration],
        set: { sealedSecret },
      });
    const after = { integration };
    tx.audit(ctx, { action: "webhook_secret.set", kind: "user", ids: [botId], after });
  });
}

/**
 * Refuses (BAD_REQUEST) an integration whose sender does not sign, and users as `loadManagedBot`
 * does.
 */
export async function requireTakesSecret(
  ctx: Context,
  { botId, integration }: { botId: number; integration: string },
): Promise<void> {
  loadSigning(integration);
  await loadManagedBot(ctx.reader, ctx, botId);
}

function loadSigning(name: string): Integration {
  const integration = integrations.get(name);
  if (integration?.signature) return integration;
  const signing = [...integrations.values()]
    .filter(({ signature }) => signature)
    .map((one) => one.name);
  throw badRequest(
    `Posts of '${name}' are not signed. These integrations sign their posts: ${signing.join(", ")}.`,
  );
}

export const RemoveWebhookSecret = record({ botId: id(), integration: text() });

/**
 * Removes the secret, so that posts to a bot need no signature. Refuses (BAD_REQUEST) where there
 * is no secret, and users as `loadManagedBot` does.
 */
export async function removeWebhookSecret(
  ctx: Context,
  { botId, integration }: Input<typeof RemoveWebhookSecret>,
): Promise<undefined> {
  await change(ctx, botId, async (tx) => {
    const { webhookSecrets: secrets } = tx.t;
    const removed = await tx.db
      .delete(secrets)
      .where(
        and(
          eq(secrets.realmId, ctx.realm.id),
          eq(secrets.userId, botId),
          eq(secrets.integration, integration),
        ),
      )
      .returning({ integration: secrets.integration });
    if (removed.length === 0) throw badRequest(`The bot has no secret for '${integration}'.`);
    const before = { integration };
    tx.audit(ctx, { action: "webhook_secret.remove", kind: "user", ids: [botId], before });
  });
}

const change = (ctx: Context, botId: number, run: (tx: Tx) => Promise<void>) =>
  write(ctx, async (tx) => {
    await loadManagedBot(tx, await renewContext(tx, ctx), botId);
    await run(tx);
  });
