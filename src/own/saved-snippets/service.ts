import { and, count, eq } from "drizzle-orm";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest, noSuchObject } from "../../core/errors";
import { bytesOfTexts, requireRoomForTexts, sumOfBytes } from "../../core/own-texts";
import { type Input, id, optional, record, text } from "../../core/params";
import { isLonger } from "../../core/text/name";
import { onlyRow, write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { lengthsMax } from "../../protocol/limits";
import { savedSnippetAdded, savedSnippetRemoved, savedSnippetUpdated } from "./events";
import { listSavedSnippets } from "./queries";
import { savedSnippetWire, type WireSavedSnippet } from "./wire";

export const GetSavedSnippets = record({});
export const CreateSavedSnippet = record({ title: text(), content: text() });
export const EditSavedSnippet = record({
  savedSnippetId: id(),
  title: optional(text()),
  content: optional(text()),
});
export const DeleteSavedSnippet = record({ savedSnippetId: id() });

/** In Unicode code points. */
/** Number of snippets that somebody may save. */
const snippetsMax = 1_000;

const noSuchSnippet = () => noSuchObject("Saved snippet does not exist.");

/** The actor's saved snippets, oldest first. */
export async function getSavedSnippets({ reader, realm, actor }: Context<Person>): Promise<{
  saved_snippets: WireSavedSnippet[];
}> {
  return {
    saved_snippets: (await listSavedSnippets(reader, realm.id, actor.user.id)).map(
      savedSnippetWire,
    ),
  };
}

/**
 * Saves a text under a title; answers its id. Event: saved_snippets add, to the actor. Refuses an
 * empty or too long title or text.
 */
export async function createSavedSnippet(
  ctx: Context<Person>,
  input: Input<typeof CreateSavedSnippet>,
): Promise<{ saved_snippet_id: number }> {
  const columns = { title: checkedTitle(input.title), content: checkedContent(input.content) };
  return write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    const { savedSnippets } = tx.t;
    const { count: kept, bytes } = await measure(tx, realm.id, actor.user.id);
    if (kept >= snippetsMax)
      throw badRequest(`You can keep at most ${snippetsMax} snippets: delete some.`);
    requireRoomForTexts("snippets", { bytes, more: bytesOfTexts(columns.content) });
    const row = { ...columns, realmId: realm.id, userId: actor.user.id, createdAt: tx.now };
    const snippet = onlyRow(await tx.db.insert(savedSnippets).values(row).returning());
    await tx.emit(
      { to: "users", ids: [row.userId] },
      savedSnippetAdded({ saved_snippet: savedSnippetWire(snippet) }),
    );
    return { saved_snippet_id: snippet.id };
  });
}

/**
 * Changes the title or the content of a snippet of the actor's. Event: saved_snippets update, to
 * the actor, if anything was given. Refuses an empty or too long title or text, and a missing
 * snippet (404). Source: `docs/protocol/specification.md`, PATCH
 * /saved_snippets/{saved_snippet_id}.
 */
export async function editSavedSnippet(
  ctx: Context<Person>,
  { savedSnippetId, title, content }: Input<typeof EditSavedSnippet>,
): Promise<undefined> {
  const changes = {
    ...(title === undefined ? {} : { title: checkedTitle(title) }),
    ...(content === undefined ? {} : { content: checkedContent(content) }),
  };
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const { savedSnippets } = tx.t;
    const isIt = isOwn(tx, current, savedSnippetId);
    const [before] = await tx.db.select().from(savedSnippets).where(isIt);
    if (!before) throw noSuchSnippet();
    if (title === undefined && content === undefined) return;
    const { bytes } = await measure(tx, before.realmId, before.userId);
    const more = bytesOfTexts(changes.content ?? before.content) - bytesOfTexts(before.content);
    requireRoomForTexts("snippets", { bytes, more });
    await tx.db.update(savedSnippets).set(changes).where(isIt);
    const saved_snippet = savedSnippetWire({ ...before, ...changes });
    await tx.emit({ to: "users", ids: [before.userId] }, savedSnippetUpdated({ saved_snippet }));
  });
}

/**
 * Deletes a snippet of the actor's. Event: saved_snippets remove, to the actor. Refuses a missing
 * one (404).
 */
export async function deleteSavedSnippet(
  ctx: Context<Person>,
  { savedSnippetId }: Input<typeof DeleteSavedSnippet>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const { savedSnippets } = tx.t;
    const isIt = isOwn(tx, current, savedSnippetId);
    const rows = await tx.db
      .delete(savedSnippets)
      .where(isIt)
      .returning({ userId: savedSnippets.userId });
    if (rows.length === 0) throw noSuchSnippet();
    await tx.emit(
      { to: "users", ids: [current.actor.user.id] },
      savedSnippetRemoved({ saved_snippet_id: savedSnippetId }),
    );
  });
}

function isOwn(
  { t: { savedSnippets: snippets } }: Tx,
  { realm, actor }: Context<Person>,
  snippetId: number,
) {
  return and(
    eq(snippets.realmId, realm.id),
    eq(snippets.userId, actor.user.id),
    eq(snippets.id, snippetId),
  );
}

async function measure({ db, t: { savedSnippets } }: Tx, realmId: number, userId: number) {
  const [row] = await db
    .select({ count: count(), bytes: sumOfBytes(savedSnippets.content) })
    .from(savedSnippets)
    .where(and(eq(savedSnippets.realmId, realmId), eq(savedSnippets.userId, userId)));
  return row ?? { count: 0, bytes: 0 };
}

function checkedTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed === "") throw badRequest("The title of a snippet must not be empty.");
  if (isLonger(trimmed, lengthsMax.snippetTitle)) {
    throw badRequest(`The title of a snippet has at most ${lengthsMax.snippetTitle} characters.`);
  }
  return trimmed;
}

function checkedContent(content: string): string {
  const trimmed = content.trim();
  if (trimmed === "") throw badRequest("The content of a snippet must not be empty.");
  if (isLonger(trimmed, lengthsMax.message)) {
    throw badRequest(`The content of a snippet has at most ${lengthsMax.message} characters.`);
  }
  return trimmed;
}
