import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Context, Tx } from "../../core/context";
import { badRequest, noSuchObject } from "../../core/errors";
import { type Input, record, text } from "../../core/params";
import { requireAdministrator } from "../../core/rights/permission";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { isTaken } from "./catalog";
import { findTemplate, listTemplates, type WebhookTemplate } from "./queries";
import { parseTemplate } from "./template";

const templatesMax = 100;
const nameForm = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const topicLengthMax = 500;
const contentLengthMax = 5_000;

/** A mapping from JSON to a message. */
const templateObject = Type.Object({
  name: Type.String({ description: "Applies to posts to `/external/{name}`." }),
  topic: Type.String({ description: "Template of the topic." }),
  content: Type.String({ description: "Template of the content." }),
});

type WireTemplate = Static<typeof templateObject>;

export const WebhookTemplateList = Type.Object({ webhook_templates: Type.Array(templateObject) });

const templateWire = ({ name, topic, content }: WebhookTemplate): WireTemplate => ({
  name,
  topic,
  content,
});

export const ListWebhookTemplates = record({});

/** The organization's own mappings from JSON to a message, by name. */
export async function getWebhookTemplates({
  reader,
  realm,
}: Context): Promise<Static<typeof WebhookTemplateList>> {
  return { webhook_templates: (await listTemplates(reader, realm.id)).map(templateWire) };
}

export const SetWebhookTemplate = record({ name: text(), topic: text(), content: text() });

/**
 * Adds or changes a mapping, for administrators (else UNAUTHORIZED_PRINCIPAL): posts to
 * `/external/NAME` become messages by it (`parseTemplate`). Announced to nobody. Refuses
 * (BAD_REQUEST) an invalid name or one that the server uses, templates that are too long or wrong,
 * and more than a hundred.
 */
export async function setWebhookTemplate(
  ctx: Context,
  input: Input<typeof SetWebhookTemplate>,
): Promise<undefined> {
  requireTemplate(input);
  await write(ctx, (tx) => setWebhookTemplateIn(tx, ctx, input));
}

/** Stores a template that `requireTemplate` has accepted, as part of a write. */
async function setWebhookTemplateIn(tx: Tx, ctx: Context, { name, topic, content }: WireTemplate) {
  const { realm } = await renewForAdministrator(tx, ctx);
  const { webhookTemplates } = tx.t;
  const stored = await findTemplate(tx, realm.id, name);
  if (!stored && (await listTemplates(tx, realm.id)).length >= templatesMax) {
    throw badRequest(`An organization can have ${templatesMax} webhook templates.`);
  }
  await tx.db
    .insert(webhookTemplates)
    .values({ realmId: realm.id, name, topic, content })
    .onConflictDoUpdate({
      target: [webhookTemplates.realmId, webhookTemplates.name],
      set: { topic, content },
    });
  tx.audit(ctx, {
    action: "webhook_template.set",
    kind: "webhook_template",
    before: stored ? { name, topic: stored.topic, content: stored.content } : {},
    after: { name, topic, content },
  });
}

/** The checks of `setWebhookTemplate` that need no stored data (BAD_REQUEST). */
export function requireTemplate({ name, topic, content }: WireTemplate) {
  if (!nameForm.test(name)) {
    throw badRequest(
      "A template's name has 1 to 40 lowercase letters, digits, dashes and underscores.",
    );
  }
  if (isTaken(name))
    throw badRequest(`'${name}' is an integration of the server's own: choose another name.`);
  if (topic.trim() === "" || content.trim() === "")
    throw badRequest("A template has a topic and a content.");
  if (topic.length > topicLengthMax)
    throw badRequest(`The topic has at most ${topicLengthMax} characters.`);
  if (content.length > contentLengthMax)
    throw badRequest(`The content has at most ${contentLengthMax} characters.`);
  parseTemplate(topic);
  parseTemplate(content);
}

export const RemoveWebhookTemplate = record({ name: text() });

/**
 * Removes a mapping, for administrators: posts to its address are refused then. Refuses a missing
 * one (BAD_REQUEST, 404).
 */
export async function removeWebhookTemplate(
  ctx: Context,
  { name }: Input<typeof RemoveWebhookTemplate>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const { realm } = await renewForAdministrator(tx, ctx);
    const { webhookTemplates: templates } = tx.t;
    const removed = await tx.db
      .delete(templates)
      .where(and(eq(templates.realmId, realm.id), eq(templates.name, name)))
      .returning({ name: templates.name });
    if (removed.length === 0) throw noSuchObject(`There is no webhook template '${name}'.`);
    const before = { name };
    tx.audit(ctx, { action: "webhook_template.remove", kind: "webhook_template", before });
  });
}

async function renewForAdministrator(tx: Tx, ctx: Context): Promise<Context> {
  const renewed = await renewContext(tx, ctx);
  requireAdministrator(renewed.actor);
  return renewed;
}
