import { type Static, Type } from "@sinclair/typebox";
import { and, asc, desc, eq, getTableColumns, gte, type SQLWrapper, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";
import { isIn } from "../../db/sql/json";
import { findChannel } from "../channels/queries";
import { shownTopic } from "../channels/topics/empty-topic";
import type { RealmRow } from "../core/context";
import { isHiddenFrom } from "../core/reading-right/predicate";
import { parseRealmSettings } from "../realm/settings";

/** State of a message before a change. Fields that the change left alone are null. */
export type EditRow = Schema["messageEdits"]["$inferSelect"];

/** Part of a message's history that people may see: everything, moves only, or nothing. */
export type HistoryPolicy = ReturnType<typeof historyPolicyOf>;

export const historyPolicyOf = ({ settings }: Pick<RealmRow, "settings">) =>
  parseRealmSettings(settings).message_edit_history_visibility_policy;

/** Number of changes in a message object, the newest ones, and of characters of their texts. */
const editsShownMax = 100;
const textsShownMax = 50_000;
/** Greatest size of these characters in UTF-8 bytes. */
export const historyTextsBytesMax = 3 * textsShownMax;
/** The history of a single message may have more changes, but an answer must have a limit too. */
const editsListedMax = 1_000;

/** Texts that would not be shown are not read, and are empty. */
const selectEdits = statement((db, t, given: Given<{ realmId: number; ids: string }>, dialect) => {
  const { messageId, id, prevContent, prevRenderedContent } = t.messageEdits;
  const ofMessage = sql`over (partition by ${messageId} order by ${id} desc)`;
  const sizeBytes = sql`coalesce(octet_length(${prevContent}), 0) + coalesce(octet_length(${prevRenderedContent}), 0)`;
  const newest = db.$with("newest").as(
    db
      .select({
        id,
        place: sql<number>`row_number() ${ofMessage}`.as("place"),
        bytes: sql<number>`sum(${sizeBytes}) ${ofMessage}`.as("bytes"),
      })
      .from(t.messageEdits)
      .where(
        and(
          eq(t.messageEdits.realmId, given.realmId),
          isIn(dialect, t.messageEdits.messageId, given.ids),
        ),
      ),
  );
  const text = (column: SQLWrapper) =>
    sql<
      string | null
    >`case when ${newest.bytes} <= ${sql.raw(String(historyTextsBytesMax))} then ${column} when ${column} is not null then '' end`;
  return db
    .with(newest)
    .select({
      ...getTableColumns(t.messageEdits),
      prevContent: text(prevContent),
      prevRenderedContent: text(prevRenderedContent),
    })
    .from(t.messageEdits)
    .innerJoin(newest, eq(newest.id, t.messageEdits.id))
    .where(and(eq(t.messageEdits.realmId, given.realmId), sql`${newest.place} <= ${editsShownMax}`))
    .orderBy(asc(t.messageEdits.messageId), desc(t.messageEdits.id));
});

/**
 * The newest changes of some messages, newest first, by message; unchanged messages are left out.
 */
export async function editsOf(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, EditRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await selectEdits(reader, { realmId, ids: JSON.stringify(ids) });
  const byMessage = Map.groupBy(rows, ({ messageId }) => messageId);
  return new Map([...byMessage].map(([id, edits]) => [id, withTextsUpTo(edits, textsShownMax)]));
}

/**
 * The newest changes of one message, newest first, each with the size of its texts, which are not
 * read.
 */
const selectSizes = statement(
  (db, { messageEdits: t }, given: Given<{ realmId: number; messageId: number }>) =>
    db
      .select({
        id: t.id,
        sizeBytes:
          sql<number>`coalesce(octet_length(${t.prevContent}), 0) + coalesce(octet_length(${t.prevRenderedContent}), 0)`.mapWith(
            Number,
          ),
      })
      .from(t)
      .where(and(eq(t.realmId, given.realmId), eq(t.messageId, given.messageId)))
      .orderBy(desc(t.id))
      .limit(editsListedMax),
);

const selectFrom = statement(
  (db, { messageEdits: t }, given: Given<{ realmId: number; messageId: number; oldest: number }>) =>
    db
      .select()
      .from(t)
      .where(
        and(
          eq(t.realmId, given.realmId),
          eq(t.messageId, given.messageId),
          gte(t.id, given.oldest),
        ),
      )
      .orderBy(desc(t.id)),
);

/**
 * The changes of a message, newest first, up to the one at which their texts exceed `textBytesMax`.
 * In two statements, because in a join PostgreSQL would compute the sizes again for each row.
 */
export async function listEdits(
  reader: Reader,
  realmId: number,
  messageId: number,
  textBytesMax: number,
): Promise<EditRow[]> {
  let [oldest, bytes] = [0, 0];
  for (const { id, sizeBytes } of await selectSizes(reader, { realmId, messageId })) {
    if (bytes > textBytesMax) break;
    oldest = id;
    bytes += sizeBytes;
  }
  return oldest === 0 ? [] : selectFrom(reader, { realmId, messageId, oldest });
}

/**
 * Changes whose texts beyond this number of characters, counted from the newest, are empty. They
 * are not left out, because Zulip's mobile app takes a change without `prev_content` for none.
 */
function withTextsUpTo(edits: EditRow[], charactersMax: number): EditRow[] {
  let left = charactersMax;
  return edits.map((edit) => {
    left -= textsLength(edit);
    return left >= 0 ? edit : withEmptyTexts(edit);
  });
}

const withEmptyTexts = (edit: EditRow): EditRow => ({
  ...edit,
  prevContent: edit.prevContent === null ? null : "",
  prevRenderedContent: edit.prevRenderedContent === null ? null : "",
});

export const textsLength = ({ prevContent, prevRenderedContent }: EditRow) =>
  (prevContent?.length ?? 0) + (prevRenderedContent?.length ?? 0);

/** The changes that a policy lets people see: for moves only, the former places without texts. */
export function visibleEdits(edits: readonly EditRow[], policy: HistoryPolicy): EditRow[] {
  if (policy === "none") return [];
  if (policy === "all") return [...edits];
  return edits
    .filter(({ prevTopic, prevChannelId }) => prevTopic !== null || prevChannelId !== null)
    .map((edit) => ({ ...edit, prevContent: null, prevRenderedContent: null }));
}

/** A message's changes without its places in hidden channels: see `withoutHiddenPlaces`. */
const nowhere = { prevTopic: null, topic: null, prevChannelId: null, channelId: null };

/**
 * The changes of a message that is in a channel now, newest first, without its former places in
 * hidden channels, because its readers of today may not know of these (A16). Hidden are private
 * channels; for a message that is open to the web now, all channels that are not. Moves to, from
 * and within them are left out.
 */
export async function withoutHiddenPlaces(
  reader: Reader,
  realmId: number,
  presentId: number | null,
  edits: readonly EditRow[],
): Promise<EditRow[]> {
  if (edits.every(({ prevChannelId }) => prevChannelId === null)) return [...edits];
  const present = presentId === null ? undefined : await findChannel(reader, realmId, presentId);
  const isHidden = async (id: number | null) => {
    if (id === null || id === presentId) return false;
    const channel = await findChannel(reader, realmId, id);
    return channel === undefined || isHiddenFrom(channel, present);
  };
  const shown: EditRow[] = [];
  let after = presentId;
  for (const edit of edits) {
    const { prevTopic, prevChannelId, prevContent } = edit;
    const before = prevChannelId ?? after;
    const isMove = prevTopic !== null || prevChannelId !== null;
    if (!isMove || !((await isHidden(before)) || (await isHidden(after)))) shown.push(edit);
    else if (prevContent !== null) shown.push({ ...edit, ...nowhere });
    after = before;
  }
  return shown;
}

/** Where a change moved a message from and to. */
const moveObject = Type.Object({
  prev_topic: Type.Optional(Type.String()),
  topic: Type.Optional(Type.String()),
  prev_stream: Type.Optional(Type.Integer()),
  stream: Type.Optional(Type.Integer()),
});

/**
 * An item of `edit_history` (`docs/protocol/specification.md`, Message object): only the changed
 * fields.
 */
export const editObject = Type.Object(
  {
    user_id: Type.Integer(),
    timestamp: Type.Integer({ description: "UNIX seconds." }),
    prev_content: Type.Optional(Type.String()),
    prev_rendered_content: Type.Optional(Type.String()),
    ...moveObject.properties,
  },
  { title: "MessageEdit" },
);

export function editWire(edit: EditRow, knowsEmptyTopics: boolean): Static<typeof editObject> {
  return {
    user_id: edit.userId,
    timestamp: edit.editedAt,
    ...(edit.prevContent === null ? {} : { prev_content: edit.prevContent }),
    ...(edit.prevRenderedContent === null
      ? {}
      : { prev_rendered_content: edit.prevRenderedContent }),
    ...moveWire(edit, knowsEmptyTopics),
  };
}

export function moveWire(
  { prevTopic, topic, prevChannelId, channelId }: EditRow,
  knowsEmptyTopics: boolean,
): Static<typeof moveObject> {
  return {
    ...(prevTopic === null ? {} : { prev_topic: shownTopic(prevTopic, knowsEmptyTopics) }),
    ...(topic === null ? {} : { topic: shownTopic(topic, knowsEmptyTopics) }),
    ...(prevChannelId === null ? {} : { prev_stream: prevChannelId }),
    ...(channelId === null ? {} : { stream: channelId }),
  };
}
