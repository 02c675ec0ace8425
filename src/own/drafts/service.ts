import { Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { loadKnownChannel } from "../../channels/queries";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest, noSuchObject } from "../../core/errors";
import { bytesOfTexts, requireRoomForTexts } from "../../core/own-texts";
import {
  either,
  type Input,
  id,
  ids,
  nothing,
  number,
  optional,
  record,
  text,
} from "../../core/params";
import { onlyRow, write } from "../../core/write";
import { normalizeContent } from "../../messages/rendering/source";
import { normalizeTopic, requirePeopleMax } from "../../messages/send/addressee";
import { loadPeople } from "../../messages/send/send";
import { parseUserSettings } from "../../people/settings/user-settings";
import { renewContext } from "../../people/users/renew-context";
import { draftRemoved, draftsAdded, draftUpdated } from "./events";
import { listDrafts, measureDrafts } from "./queries";
import { type DraftRow, draftWire, type WireDraft } from "./wire";

/** Number of drafts that somebody may have. */
const draftsMax = 1_000;

const Draft = record({
  type: either(Type.Literal(""), Type.Literal("stream"), Type.Literal("private")),
  to: ids(),
  topic: text(),
  content: text(),
  timestamp: optional(either(number({ minimum: 0 }), nothing())),
});

export const GetDrafts = record({});
export const CreateDrafts = record({
  drafts: optional(Type.Array(Draft, { maxItems: draftsMax })),
});
export const EditDraft = record({ draftId: id(), draft: Draft });
export const DeleteDraft = record({ draftId: id() });

const noSuchDraft = () => noSuchObject("Draft does not exist.");

/**
 * The actor's drafts, the last changed one at the end. None while synchronization of drafts is off.
 */
export async function getDrafts({ reader, realm, actor }: Context<Person>): Promise<{
  count: number;
  drafts: WireDraft[];
}> {
  const drafts = (await listDrafts(reader, realm.id, actor.user.id)).map(draftWire);
  return { count: drafts.length, drafts };
}

/**
 * Stores drafts of the actor; answers their ids in the order given. Without `drafts` it stores
 * none. Event: drafts add, to the actor. Refuses (BAD_REQUEST) empty content, a channel draft that
 * does not name exactly one channel known to the actor, recipients whom the actor may not see, and
 * all drafts while synchronization of drafts is off. Source: `docs/protocol/specification.md`, POST
 * /drafts; `docs/protocol/decisions.md` 5.
 */
export async function createDrafts(
  ctx: Context<Person>,
  { drafts: given }: Input<typeof CreateDrafts>,
): Promise<{ ids: number[] }> {
  if (given === undefined) return { ids: [] };
  return write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    requireWanted(current);
    const { realm, actor } = current;
    const rows: Omit<DraftRow, "id">[] = [];
    for (const one of given) rows.push(await stored(tx, current, one));
    const { count, bytes } = await measureDrafts(tx, realm.id, actor.user.id);
    if (count + rows.length > draftsMax)
      throw badRequest(`You can have at most ${draftsMax} drafts: delete some.`);
    requireRoomForTexts("drafts", {
      bytes,
      more: bytesOfTexts(...rows.map(({ content }) => content)),
    });
    const drafts =
      rows.length === 0 ? [] : await tx.db.insert(tx.t.drafts).values(rows).returning();
    drafts.sort((a, b) => a.id - b.id);
    await tx.emit(
      { to: "users", ids: [actor.user.id] },
      draftsAdded({ drafts: drafts.map(draftWire) }),
    );
    return { ids: drafts.map((row) => row.id) };
  });
}

/**
 * Replaces a draft of the actor's. Event: drafts update, to the actor. Refuses as `createDrafts`
 * does, and a missing draft (404).
 */
export async function editDraft(
  ctx: Context<Person>,
  { draftId, draft }: Input<typeof EditDraft>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    requireWanted(current);
    const isIt = isOwn(tx, current, draftId);
    const [before] = await tx.db
      .select({ content: tx.t.drafts.content })
      .from(tx.t.drafts)
      .where(isIt);
    if (!before) throw noSuchDraft();
    const changed = await stored(tx, current, draft);
    const { bytes } = await measureDrafts(tx, current.realm.id, current.actor.user.id);
    requireRoomForTexts("drafts", {
      bytes,
      more: bytesOfTexts(changed.content) - bytesOfTexts(before.content),
    });
    const row = onlyRow(await tx.db.update(tx.t.drafts).set(changed).where(isIt).returning());
    await tx.emit(
      { to: "users", ids: [current.actor.user.id] },
      draftUpdated({ draft: draftWire(row) }),
    );
  });
}

/**
 * Deletes a draft of the actor's. Event: drafts remove, to the actor. Refuses a missing draft
 * (404).
 */
export async function deleteDraft(
  ctx: Context<Person>,
  { draftId }: Input<typeof DeleteDraft>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const { drafts } = tx.t;
    const rows = await tx.db
      .delete(drafts)
      .where(isOwn(tx, current, draftId))
      .returning({ id: drafts.id });
    if (rows.length === 0) throw noSuchDraft();
    await tx.emit(
      { to: "users", ids: [current.actor.user.id] },
      draftRemoved({ draft_id: draftId }),
    );
  });
}

function isOwn({ t: { drafts } }: Tx, { realm, actor }: Context<Person>, draftId: number) {
  return and(
    eq(drafts.realmId, realm.id),
    eq(drafts.userId, actor.user.id),
    eq(drafts.id, draftId),
  );
}

function requireWanted({ actor }: Context<Person>) {
  if (parseUserSettings(actor.user.settings).enable_drafts_synchronization) return;
  throw badRequest(
    "You have turned off the synchronization of drafts (enable_drafts_synchronization).",
  );
}

/**
 * The stored form of a draft: content as that of a message, whose first line may be indented, time
 * in whole seconds. A draft without recipients has neither topic nor type.
 */
async function stored(
  tx: Tx,
  ctx: Context<Person>,
  draft: Input<typeof Draft>,
): Promise<Omit<DraftRow, "id">> {
  const { realm, actor, now } = ctx;
  const content = normalizeContent(draft.content);
  const editedAt = Math.floor(draft.timestamp ?? now);
  const columns = { realmId: realm.id, userId: actor.user.id, content, editedAt };
  if (draft.type === "stream") {
    const [channelId] = draft.to;
    if (channelId === undefined || draft.to.length !== 1) {
      throw badRequest("A draft for a channel has exactly one channel ID in 'to'.");
    }
    await loadKnownChannel(ctx, tx, { id: channelId });
    const topic = normalizeTopic(draft.topic);
    return { ...columns, topic, type: "stream", to: JSON.stringify([channelId]) };
  }
  const people = draft.type === "private" ? await othersAddressed(tx, ctx, draft.to) : [];
  return {
    ...columns,
    topic: "",
    type: people.length === 0 ? "" : "private",
    to: JSON.stringify(people),
  };
}

/**
 * Recipients of a direct message without the actor, ascending; only the actor where they write to
 * themself.
 */
async function othersAddressed(tx: Tx, ctx: Context<Person>, to: number[]): Promise<number[]> {
  requirePeopleMax(to);
  const people = await loadPeople(tx, ctx, ctx.actor.user, to);
  const userIds = [...new Set(people.map((person) => person.id))].sort((a, b) => a - b);
  return userIds.length === 1 ? userIds : userIds.filter((userId) => userId !== ctx.actor.user.id);
}
