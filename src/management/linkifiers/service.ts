import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, ids, optional, record, text, texts } from "../../core/params";
import { requireAdministrator } from "../../core/rights/permission";
import { onlyRow, write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { linkifiersChanged } from "../../realm/linkifiers/events";
import { type Linkifier, listLinkifiers } from "../../realm/linkifiers/queries";
import { type NewLinkifier, refused, requireLinkifier } from "../../realm/linkifiers/validate";
import { linkifierObject, linkifierWire } from "../../realm/linkifiers/wire";

/** A limit, because every message is searched for all of them. */
const linkifiersMax = 100;

export const ListLinkifiers = record({});

export const LinkifierList = record({ linkifiers: Type.Array(linkifierObject) });

/** The linkifiers of the organization, in order. */
export async function getLinkifiers({
  reader,
  realm,
}: Context): Promise<Static<typeof LinkifierList>> {
  return { linkifiers: (await listLinkifiers(reader, realm.id)).map(linkifierWire) };
}

const templates = {
  exampleInput: optional(text()),
  reverseTemplate: optional(text()),
  alternativeUrlTemplates: optional(texts()),
};

export const AddLinkifier = record({ pattern: text(), urlTemplate: text(), ...templates });

/** Texts that may be null on the wire: in a form, an empty one or the word "null". */
const nullable = (given: string | undefined) =>
  given === undefined || given === "" || given === "null" ? null : given;

/**
 * Adds a linkifier after all others; answers its id. Announces `realm_linkifiers` to the realm. For
 * administrators (else UNAUTHORIZED_PRINCIPAL); refuses as `requireLinkifier` does, a pattern that
 * exists, and more than a hundred. Source: `docs/protocol/specification.md`, POST /realm/filters.
 */
export async function addLinkifier(
  ctx: Context,
  input: Input<typeof AddLinkifier>,
): Promise<{ id: number }> {
  const linkifier: NewLinkifier = {
    pattern: input.pattern,
    urlTemplate: input.urlTemplate,
    reverseTemplate: nullable(input.reverseTemplate),
    exampleInput: nullable(input.exampleInput),
    alternativeUrlTemplates: input.alternativeUrlTemplates ?? [],
  };
  requireLinkifier(linkifier);
  return write(ctx, (tx) => addLinkifierIn(tx, ctx, linkifier));
}

/** Adds a linkifier that `requireLinkifier` has accepted, as part of a write. */
export function addLinkifierIn(
  tx: Tx,
  ctx: Context,
  linkifier: NewLinkifier,
): Promise<{ id: number }> {
  return changeIn(tx, ctx, async ({ realm }) => {
    const { linkifiers, realms } = tx.t;
    const others = await listLinkifiers(tx, realm.id);
    if (others.length >= linkifiersMax)
      throw badRequest(`An organization can have ${linkifiersMax} linkifiers.`);
    requireOtherPattern(others, linkifier.pattern);
    if (!realm.hasLinkifiers)
      await tx.db.update(realms).set({ hasLinkifiers: true }).where(eq(realms.id, realm.id));
    const position = others.length === 0 ? 1 : (await lastPosition(tx, realm.id)) + 1;
    const rows = await tx.db
      .insert(linkifiers)
      .values({ realmId: realm.id, position, ...stored(linkifier) })
      .returning({ id: linkifiers.id });
    const { id: linkifierId } = onlyRow(rows);
    const after = linkifierFacts(linkifier);
    tx.audit(ctx, { action: "linkifier.add", kind: "linkifier", ids: [linkifierId], after });
    return { id: linkifierId };
  });
}

const linkifierFacts = ({ pattern, urlTemplate }: NewLinkifier) => ({
  pattern,
  url_template: urlTemplate,
});

const stored = ({ alternativeUrlTemplates, ...linkifier }: NewLinkifier) => ({
  ...linkifier,
  alternativeUrlTemplates: JSON.stringify(alternativeUrlTemplates),
});

async function lastPosition(tx: Tx, realmId: number): Promise<number> {
  const { linkifiers } = tx.t;
  const rows = await tx.db
    .select({ position: linkifiers.position })
    .from(linkifiers)
    .where(eq(linkifiers.realmId, realmId));
  return Math.max(0, ...rows.map(({ position }) => position));
}

function requireOtherPattern(others: readonly Linkifier[], pattern: string) {
  if (!others.some((other) => other.pattern === pattern)) return;
  throw refused("Realm filter with this Realm and Pattern already exists.");
}

export const UpdateLinkifier = record({
  filterId: id(),
  pattern: text(),
  urlTemplate: text(),
  ...templates,
});

/**
 * Changes a linkifier. Its example and its other templates stay unchanged if not given, and are
 * removed by an empty text. Announces `realm_linkifiers` to the realm. For administrators; refuses
 * as `addLinkifier` does, and a missing linkifier.
 */
export async function updateLinkifier(
  ctx: Context,
  input: Input<typeof UpdateLinkifier>,
): Promise<undefined> {
  await write(ctx, (tx) => updateLinkifierIn(tx, ctx, input));
}

/** Changes a linkifier, as part of a write. */
export async function updateLinkifierIn(
  tx: Tx,
  ctx: Context,
  {
    filterId,
    pattern,
    urlTemplate,
    exampleInput,
    reverseTemplate,
    alternativeUrlTemplates,
  }: Input<typeof UpdateLinkifier>,
): Promise<void> {
  await changeIn(tx, ctx, async ({ realm }) => {
    const existing = await listLinkifiers(tx, realm.id);
    const before = existing.find((one) => one.id === filterId);
    if (!before) throw unknownLinkifier();
    const linkifier: NewLinkifier = {
      pattern,
      urlTemplate,
      reverseTemplate:
        reverseTemplate === undefined ? before.reverseTemplate : nullable(reverseTemplate),
      exampleInput: exampleInput === undefined ? before.exampleInput : nullable(exampleInput),
      alternativeUrlTemplates: alternativeUrlTemplates ?? before.alternativeUrlTemplates,
    };
    requireLinkifier(linkifier);
    requireOtherPattern(
      existing.filter((one) => one !== before),
      pattern,
    );
    await tx.db
      .update(tx.t.linkifiers)
      .set(stored(linkifier))
      .where(isLinkifier(tx, realm.id, filterId));
    tx.audit(ctx, {
      action: "linkifier.update",
      kind: "linkifier",
      ids: [filterId],
      before: linkifierFacts(before),
      after: linkifierFacts(linkifier),
    });
  });
}

const unknownLinkifier = () => badRequest("Linkifier not found.");

const isLinkifier = ({ t: { linkifiers } }: Tx, realmId: number, linkifierId: number) =>
  and(eq(linkifiers.realmId, realmId), eq(linkifiers.id, linkifierId));

export const RemoveLinkifier = record({ filterId: id() });

/**
 * Removes a linkifier. Announces `realm_linkifiers` to the realm. For administrators; refuses an
 * unknown one.
 */
export async function removeLinkifier(
  ctx: Context,
  { filterId }: Input<typeof RemoveLinkifier>,
): Promise<undefined> {
  await change(ctx, async (tx, { realm }) => {
    const { linkifiers } = tx.t;
    const removed = await tx.db
      .delete(linkifiers)
      .where(isLinkifier(tx, realm.id, filterId))
      .returning({ id: linkifiers.id, pattern: linkifiers.pattern });
    if (removed.length === 0) throw unknownLinkifier();
    const before = { pattern: removed[0]?.pattern };
    tx.audit(ctx, { action: "linkifier.remove", kind: "linkifier", ids: [filterId], before });
  });
}

export const ReorderLinkifiers = record({ orderedLinkifierIds: ids() });

/**
 * Changes the order of the linkifiers. Announces `realm_linkifiers` to the realm. For
 * administrators; refuses a list that does not contain each of them once.
 */
export async function reorderLinkifiers(
  ctx: Context,
  { orderedLinkifierIds: ordered }: Input<typeof ReorderLinkifiers>,
): Promise<undefined> {
  await change(ctx, async (tx, { realm }) => {
    const existing = await listLinkifiers(tx, realm.id);
    const isComplete =
      new Set(ordered).size === existing.length &&
      existing.every(({ id: linkifierId }) => ordered.includes(linkifierId));
    if (!isComplete || ordered.length !== existing.length) {
      throw badRequest("The ordered list must contain every linkifier of the organization once.");
    }
    for (const [index, linkifierId] of ordered.entries()) {
      const position = index + 1;
      await tx.db
        .update(tx.t.linkifiers)
        .set({ position })
        .where(isLinkifier(tx, realm.id, linkifierId));
    }
    const after = { order: ordered };
    tx.audit(ctx, { action: "linkifier.reorder", kind: "linkifier", after });
  });
}

const change = <T>(ctx: Context, run: (tx: Tx, ctx: Context) => Promise<T>): Promise<T> =>
  write(ctx, (tx) => changeIn(tx, ctx, (renewed) => run(tx, renewed)));

/** Runs a change for an administrator and announces the linkifiers afterwards. */
async function changeIn<T>(tx: Tx, ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> {
  const renewed = await renewContext(tx, ctx);
  requireAdministrator(renewed.actor);
  const answer = await run(renewed);
  const realm_linkifiers = (await listLinkifiers(tx, ctx.realm.id)).map(linkifierWire);
  await tx.emit({ to: "realm" }, linkifiersChanged({ realm_linkifiers }));
  return answer;
}
