import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";

export type WebhookTemplate = Schema["webhookTemplates"]["$inferSelect"];

/** The templates of an organization, by name. */
export async function listTemplates(
  { db, t }: Reader,
  realmId: number,
): Promise<WebhookTemplate[]> {
  const { webhookTemplates } = t;
  return db
    .select()
    .from(webhookTemplates)
    .where(eq(webhookTemplates.realmId, realmId))
    .orderBy(asc(webhookTemplates.name));
}

const selectTemplate = statement(
  (db, { webhookTemplates: templates }, given: Given<{ realmId: number; name: string }>) =>
    db
      .select()
      .from(templates)
      .where(and(eq(templates.realmId, given.realmId), eq(templates.name, given.name))),
);

export async function findTemplate(
  reader: Reader,
  realmId: number,
  name: string,
): Promise<WebhookTemplate | undefined> {
  const [template] = await selectTemplate(reader, { realmId, name });
  return template;
}

const selectSecret = statement(
  (
    db,
    { webhookSecrets: secrets },
    given: Given<{ realmId: number; userId: number; integration: string }>,
  ) =>
    db
      .select({ sealed: secrets.sealedSecret })
      .from(secrets)
      .where(
        and(
          eq(secrets.realmId, given.realmId),
          eq(secrets.userId, given.userId),
          eq(secrets.integration, given.integration),
        ),
      ),
);

/** Sealed secret that an integration's posts to a bot must be signed with; undefined for none. */
export async function findSealedSecret(
  reader: Reader,
  realmId: number,
  userId: number,
  integration: string,
): Promise<string | undefined> {
  const [secret] = await selectSecret(reader, { realmId, userId, integration });
  return secret?.sealed;
}

/** The integrations for which a bot has a secret. */
export async function listSecretNames(
  { db, t }: Reader,
  realmId: number,
  userId: number,
): Promise<string[]> {
  const { webhookSecrets: secrets } = t;
  const rows = await db
    .select({ integration: secrets.integration })
    .from(secrets)
    .where(and(eq(secrets.realmId, realmId), eq(secrets.userId, userId)))
    .orderBy(asc(secrets.integration));
  return rows.map(({ integration }) => integration);
}
