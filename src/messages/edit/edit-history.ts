import { and, asc, desc, eq, sql } from "drizzle-orm";
import { isAmongIds, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import type { RealmRow } from "../../core/context";
import { parseRealmSettings } from "../../realm/settings";
import { shownTopic } from "../../topics/empty-topic";

/** What a message was before a change of it; what the change left alone is null. */
export type EditRow = Schema["messageEdits"]["$inferSelect"];

/** How much of what a message has been people may see: everything, where it has been, or nothing. */
export type HistoryPolicy = ReturnType<typeof historyPolicyOf>;

export const historyPolicyOf = ({ settings }: Pick<RealmRow, "settings">) =>
  parseRealmSettings(settings).message_edit_history_visibility_policy;

/** A message object shows so many changes at the most, the newest, and of their texts so many characters. */
const editsShownMax = 100;
const textsShownMax = 50_000;
/** The history of one message tells of more, but an answer must not grow without bounds either. */
const editsListedMax = 1_000;

const selectEdits = statement((db, t, dialect) => {
  const newest = db.$with("newest").as(
    db
      .select({
        id: t.messageEdits.id,
        place: sql<number>`row_number() over (partition by ${t.messageEdits.messageId}
          order by ${t.messageEdits.id} desc)`.as("place"),
      })
      .from(t.messageEdits)
      .where(
        and(eq(t.messageEdits.realmId, sql.placeholder("realmId")), isAmongIds(dialect, t.messageEdits.messageId)),
      ),
  );
  return db
    .with(newest)
    .select({ edit: t.messageEdits })
    .from(t.messageEdits)
    .innerJoin(newest, eq(newest.id, t.messageEdits.id))
    .where(and(eq(t.messageEdits.realmId, sql.placeholder("realmId")), sql`${newest.place} <= ${editsShownMax}`))
    .orderBy(asc(t.messageEdits.messageId), desc(t.messageEdits.id));
});

/** The newest changes of some messages, newest first, by message; one that was never changed is left out. */
export async function editsOf(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, EditRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await selectEdits(reader, { realmId, ids: JSON.stringify(ids) });
  const byMessage = Map.groupBy(
    rows.map(({ edit }) => edit),
    ({ messageId }) => messageId,
  );
  return new Map([...byMessage].map(([id, edits]) => [id, withTextsUpTo(edits, textsShownMax)]));
}

/** All changes of a message, newest first, as far as an answer can hold them. */
export async function listEdits(reader: Reader, realmId: number, messageId: number): Promise<EditRow[]> {
  const { messageEdits: t } = reader.t;
  return reader.db
    .select()
    .from(t)
    .where(and(eq(t.realmId, realmId), eq(t.messageId, messageId)))
    .orderBy(desc(t.id))
    .limit(editsListedMax);
}

/** The same changes, of which those beyond so many characters of texts, counted from the newest, have lost theirs. */
function withTextsUpTo(edits: EditRow[], charactersMax: number): EditRow[] {
  let left = charactersMax;
  return edits.map((edit) => {
    left -= textsLength(edit);
    return left >= 0 ? edit : { ...edit, prevContent: null, prevRenderedContent: null };
  });
}

export const textsLength = ({ prevContent, prevRenderedContent }: EditRow) =>
  (prevContent?.length ?? 0) + (prevRenderedContent?.length ?? 0);

/** The changes that a policy lets people see: of those that moved the message, where it was, and no texts. */
export function visibleEdits(edits: readonly EditRow[], policy: HistoryPolicy): EditRow[] {
  if (policy === "none") return [];
  if (policy === "all") return [...edits];
  return edits
    .filter(({ prevTopic, prevChannelId }) => prevTopic !== null || prevChannelId !== null)
    .map((edit) => ({ ...edit, prevContent: null, prevRenderedContent: null }));
}

/** An item of `edit_history` (`spec/seed.md`, Message object): only what the change changed. */
export function editWire(edit: EditRow, knowsEmptyTopics: boolean): Record<string, unknown> {
  return {
    user_id: edit.userId,
    timestamp: edit.editedAt,
    ...(edit.prevContent === null ? {} : { prev_content: edit.prevContent }),
    ...(edit.prevRenderedContent === null ? {} : { prev_rendered_content: edit.prevRenderedContent }),
    ...moveWire(edit, knowsEmptyTopics),
  };
}

/** From where to where a change moved the message. */
export function moveWire(
  { prevTopic, topic, prevChannelId, channelId }: EditRow,
  knowsEmptyTopics: boolean,
): { prev_topic?: string; topic?: string; prev_stream?: number; stream?: number } {
  return {
    ...(prevTopic === null ? {} : { prev_topic: shownTopic(prevTopic, knowsEmptyTopics) }),
    ...(topic === null ? {} : { topic: shownTopic(topic, knowsEmptyTopics) }),
    ...(prevChannelId === null ? {} : { prev_stream: prevChannelId }),
    ...(channelId === null ? {} : { stream: channelId }),
  };
}
