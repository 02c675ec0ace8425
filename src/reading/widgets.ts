import { type Static, Type } from "@sinclair/typebox";
import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";
import { isIn } from "../../db/sql/json";
import type { Tx } from "../core/context";
import { onlyRow } from "../core/write";

/** A submessage as message objects show it (`docs/protocol/specification.md`, Message object). */
export const submessageObject = Type.Object(
  {
    id: Type.Integer(),
    message_id: Type.Integer(),
    sender_id: Type.Integer(),
    msg_type: Type.String(),
    content: Type.String({ description: "JSON in the form of the widget." }),
  },
  { title: "Submessage" },
);

export type WireSubmessage = Static<typeof submessageObject>;

const submessageWire = (row: Schema["submessages"]["$inferSelect"]): WireSubmessage => ({
  id: row.id,
  message_id: row.messageId,
  sender_id: row.senderId,
  msg_type: row.msgType,
  content: row.content,
});

const command = /^\/(poll|todo)(?=\s|$)/;

/** Whether a message with this content can have a widget: all others have no submessages. */
const mayHaveWidget = (content: string): boolean =>
  content.startsWith("/") && command.test(content);

const selectSubmessages = statement(
  (db, t, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select()
      .from(t.submessages)
      .where(
        and(
          eq(t.submessages.realmId, given.realmId),
          isIn(dialect, t.submessages.messageId, given.ids),
        ),
      )
      .orderBy(asc(t.submessages.id)),
);

/**
 * The submessages of some messages, oldest first, by message id. Needs no query where none has a
 * widget.
 */
export async function submessagesOf(
  reader: Reader,
  realmId: number,
  messages: readonly { id: number; content: string }[],
): Promise<Map<number, WireSubmessage[]>> {
  const ids = messages.filter(({ content }) => mayHaveWidget(content)).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await selectSubmessages(reader, { realmId, ids: JSON.stringify(ids) });
  return Map.groupBy(rows.map(submessageWire), ({ message_id }) => message_id);
}

/**
 * Content of the first submessage of a message, with the spaces that clients expect: the kind of
 * widget, and its initial data. Undefined for content that makes no widget.
 */
export function widgetContent(content: string): string | undefined {
  const type = command.exec(content)?.[1];
  if (type === undefined) return undefined;
  const given = content.slice(type.length + 1);
  const extra_data = type === "poll" ? pollData(given) : todoData(given);
  return spacedJson({ widget_type: type, extra_data });
}

function pollData(given: string) {
  const { title: question, items: options } = titleAndItems(given);
  return { question, options };
}

function todoData(given: string) {
  const { title: task_list_title, items } = titleAndItems(given);
  const tasks = items.map((item) => {
    const [task = "", ...rest] = item.split(": ");
    return { task: task.trim(), desc: rest.join(": ").trim() };
  });
  return { task_list_title, tasks };
}

/** The first line, and the later ones without list markers; empty lines do not count. */
function titleAndItems(given: string) {
  const [title = "", ...lines] = given.split(/\r\n|[\n\r]/);
  const items = lines
    .map((line) => line.trim().replace(/^[-*]?\s*/, ""))
    .filter((line) => line !== "");
  return { title: title.trim(), items };
}

/** Texts in JSON contain no line breaks, so each line break belongs to the layout. */
const spacedJson = (value: unknown) =>
  JSON.stringify(value, undefined, 1)
    .replace(/([[{])\n\s*/g, "$1")
    .replace(/\n\s*([\]}])/g, "$1")
    .replace(/\n\s*/g, " ");

/**
 * Stores the first submessage of a message whose content makes a widget. It is sent with the
 * message's own event.
 */
export async function beginWidgetIn(
  tx: Tx,
  realmId: number,
  { id: messageId, senderId, content }: { id: number; senderId: number; content: string },
): Promise<WireSubmessage[]> {
  const first = mayHaveWidget(content) ? widgetContent(content) : undefined;
  if (first === undefined) return [];
  const row = { realmId, messageId, senderId, msgType: "widget", content: first };
  return [submessageWire(onlyRow(await tx.db.insert(tx.t.submessages).values(row).returning()))];
}
