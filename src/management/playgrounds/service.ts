import { and, eq } from "drizzle-orm";
import type { Context, Tx } from "../../core/context";
import { ApiError, badRequest } from "../../core/errors";
import { type Input, id, record, text } from "../../core/params";
import { requireAdministrator } from "../../core/rights/permission";
import { isLonger } from "../../core/text/name";
import { onlyRow, write } from "../../core/write";
import { templateVariables } from "../../markdown/linkifiers";
import { renewContext } from "../../people/users/renew-context";
import { playgroundsChanged } from "./events";
import { listPlaygrounds, type Playground } from "./queries";
import { playgroundWire, type WirePlayground } from "./wire";

const nameLengthMax = 100;
const languageLengthMax = 40;
const urlTemplateLengthMax = 2_000;
const playgroundsMax = 500;
/** Names of Pygments' lexers: `C++`, `Objective-C`, `C#`. */
const languageForm = /^[A-Za-z0-9 .\-+#_]+$/;

/** The playgrounds of the organization, oldest first. */
export async function getPlaygrounds({
  reader,
  realm,
}: Context): Promise<{ playgrounds: WirePlayground[] }> {
  return { playgrounds: (await listPlaygrounds(reader, realm.id)).map(playgroundWire) };
}

export const AddPlayground = record({
  name: text(),
  pygmentsLanguage: text(),
  urlTemplate: text(),
});

/**
 * Adds a playground for a language, for administrators; answers its id. Announces
 * `realm_playgrounds`. Refuses blank or too long texts, a template that is invalid or has no
 * variable `code`, and a name that the language has already (BAD_REQUEST). Source:
 * `test/recorded/api/api-surface.json`, add-code-playground.
 */
export async function addPlayground(
  ctx: Context,
  input: Input<typeof AddPlayground>,
): Promise<{ id: number }> {
  const playground = cleanPlayground(input);
  return write(ctx, (tx) => addPlaygroundIn(tx, ctx, playground));
}

/** Adds a playground from `cleanPlayground`, as part of a write. */
export async function addPlaygroundIn(
  tx: Tx,
  ctx: Context,
  playground: NewPlayground,
): Promise<{ id: number }> {
  const { realm, actor } = await renewContext(tx, ctx);
  requireAdministrator(actor);
  const existing = await listPlaygrounds(tx, realm.id);
  if (existing.length >= playgroundsMax)
    throw refused(`An organization has at most ${playgroundsMax} playgrounds.`);
  const { name, pygmentsLanguage } = playground;
  if (existing.some((one) => one.name === name && one.pygmentsLanguage === pygmentsLanguage)) {
    throw refused(`There is a playground ${name} for ${pygmentsLanguage} already.`);
  }
  const rows = await tx.db
    .insert(tx.t.playgrounds)
    .values({ realmId: realm.id, ...playground })
    .returning();
  await announce(tx, realm.id);
  const { id: playgroundId, urlTemplate } = onlyRow(rows);
  const after = { name, pygments_language: pygmentsLanguage, url_template: urlTemplate };
  tx.audit(ctx, { action: "playground.add", kind: "playground", ids: [playgroundId], after });
  return { id: playgroundId };
}

export const RemovePlayground = record({ playgroundId: id() });

/**
 * Removes a playground, for administrators. Announces `realm_playgrounds`. Refuses a missing one
 * (BAD_REQUEST).
 */
export async function removePlayground(
  ctx: Context,
  { playgroundId }: Input<typeof RemovePlayground>,
): Promise<undefined> {
  await write(ctx, (tx) => removePlaygroundIn(tx, ctx, playgroundId));
}

/** Removes a playground, as part of a write. */
export async function removePlaygroundIn(
  tx: Tx,
  ctx: Context,
  playgroundId: number,
): Promise<void> {
  const { realm, actor } = await renewContext(tx, ctx);
  requireAdministrator(actor);
  const { playgrounds } = tx.t;
  const [removed] = await tx.db
    .delete(playgrounds)
    .where(and(eq(playgrounds.realmId, realm.id), eq(playgrounds.id, playgroundId)))
    .returning({ id: playgrounds.id, name: playgrounds.name });
  if (!removed) throw badRequest(`There is no playground with ID ${playgroundId}.`);
  const before = { name: removed.name };
  tx.audit(ctx, { action: "playground.remove", kind: "playground", ids: [playgroundId], before });
  await announce(tx, realm.id);
}

async function announce(tx: Tx, realmId: number) {
  const realm_playgrounds = (await listPlaygrounds(tx, realmId)).map(playgroundWire);
  await tx.emit({ to: "realm" }, playgroundsChanged({ realm_playgrounds }));
}

export type NewPlayground = Omit<Playground, "id">;

/**
 * A playground without the spaces around its texts; refuses as `addPlayground` does (BAD_REQUEST).
 */
export function cleanPlayground(input: Input<typeof AddPlayground>): NewPlayground {
  const name = input.name.trim();
  const pygmentsLanguage = input.pygmentsLanguage.trim();
  const urlTemplate = input.urlTemplate.trim();
  requireLength("name", name, nameLengthMax);
  requireLength("pygments_language", pygmentsLanguage, languageLengthMax);
  requireLength("url_template", urlTemplate, urlTemplateLengthMax);
  if (!languageForm.test(pygmentsLanguage))
    throw refused(`'${pygmentsLanguage}' is no name of a language.`);
  if (!/^https?:\/\//i.test(urlTemplate))
    throw refused("The URL template must begin with https:// or http://.");
  const variables = templateVariables(urlTemplate);
  if (!variables) throw refused("The URL template is malformed: see RFC 6570.");
  if (!variables.has("code"))
    throw refused('Missing the required variable "code" in the URL template');
  const other = [...variables].find((variable) => variable !== "code");
  if (other !== undefined)
    throw refused(`The URL template has the variable {${other}}; only {code} is known.`);
  return { name, pygmentsLanguage, urlTemplate };
}

function requireLength(parameter: string, value: string, lengthMax: number) {
  if (value === "") throw refused(`'${parameter}' cannot be blank.`);
  if (isLonger(value, lengthMax))
    throw refused(`'${parameter}' has at most ${lengthMax} characters.`);
}

/** As in the protocol, `errors` repeats the message. */
const refused = (message: string) =>
  new ApiError("BAD_REQUEST", message, 400, { errors: { __all__: [message] } });
