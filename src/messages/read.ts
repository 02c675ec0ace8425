import { and, asc, desc, eq, gt, lt, type SQL } from "drizzle-orm";
import type { Context, Person } from "../core/context";
import { ApiError, badRequest } from "../core/errors";
import { either, flag, type Input, id, ids, integer, json, optional, record, text } from "../core/params";
import { flagsOfMessages } from "./flags-state";
import { parseNarrow } from "./narrow";
import { isUnread, narrowCondition } from "./narrow-sql";
import {
  completeMessages,
  filterReadable,
  findMessages,
  loadReadableMessage,
  type MessageRow,
  messageColumns,
  readerOf,
} from "./queries";
import { messageWire } from "./wire";

const messagesPerRequestMax = 5_000;
/** An anchor beyond every message: what `newest` means on the wire. */
const anchorNewest = 10_000_000_000_000_000;

export const GetMessages = record({
  anchor: optional(either(integer(), text())),
  includeAnchor: optional(flag()),
  numBefore: optional(integer({ minimum: 0 })),
  numAfter: optional(integer({ minimum: 0 })),
  narrow: optional(json()),
  messageIds: optional(ids()),
  useFirstUnreadAnchor: optional(flag()),
  applyMarkdown: optional(flag()),
  clientGravatar: optional(flag()),
  allowEmptyTopicName: optional(flag()),
});

type GetMessagesInput = Input<typeof GetMessages>;

/**
 * Reads messages around an anchor, oldest first, or by id: those of the narrow that the actor may read.
 * `found_oldest` and `found_newest` tell whether there are none beyond. Shape: `api/api-surface.json`, GET /messages.
 */
export async function getMessages(ctx: Context<Person>, input: GetMessagesInput): Promise<Record<string, unknown>> {
  if (input.messageIds) return getByIds(ctx, input, input.messageIds);
  const { includeAnchor = true } = input;
  const { numBefore = 0, numAfter = 0 } = input;
  if (numBefore + numAfter > messagesPerRequestMax) throw tooMany();
  if (!includeAnchor && numBefore > 0 && numAfter > 0)
    throw badRequest("The anchor can only be left out at an end of the range.");
  const condition = await narrowCondition(ctx, parseNarrow(input.narrow ?? []));
  const anchor = await resolveAnchor(ctx, input, condition);
  const isAtNewest = anchor >= anchorNewest;
  const before = await readSide(ctx, condition, anchor, "before", numBefore);
  const at =
    includeAnchor && !isAtNewest
      ? await readRows(ctx, and(condition, eq(ctx.reader.t.messages.id, anchor)), "asc", 1)
      : [];
  const after = isAtNewest ? [] : await readSide(ctx, condition, anchor, "after", numAfter);
  return {
    messages: await showMessages(ctx, input, [...before.reverse(), ...at, ...after]),
    anchor,
    found_anchor: at.length === 1,
    found_oldest: anchor === 0 || before.length < numBefore,
    found_newest: isAtNewest || after.length < numAfter,
    history_limited: false,
  };
}

async function getByIds(ctx: Context<Person>, input: GetMessagesInput, messageIds: number[]) {
  if (messageIds.length > messagesPerRequestMax) throw tooMany();
  const names = ["numBefore", "numAfter", "anchor", "includeAnchor", "useFirstUnreadAnchor"] as const;
  if (names.some((name) => input[name] !== undefined)) throw idsOrAnchor();
  const rows = await filterReadable(
    ctx.reader,
    readerOf(ctx),
    await findMessages(ctx.reader, ctx.realm.id, messageIds),
  );
  return {
    messages: await showMessages(ctx, input, rows),
    found_anchor: false,
    found_oldest: false,
    found_newest: false,
    history_limited: false,
  };
}

const tooMany = () => badRequest(`Too many messages requested: at most ${messagesPerRequestMax} at a time.`);

const idsOrAnchor = () =>
  new ApiError("BAD_REQUEST", "Send message_ids, or an anchor with num_before and num_after, not both.", 400, {
    parameters: "num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor",
  });

/** The message id that an anchor means; 0 and 10^16 stand for the two ends. */
async function resolveAnchor(ctx: Context<Person>, input: GetMessagesInput, condition: SQL): Promise<number> {
  const { anchor, useFirstUnreadAnchor } = input;
  if (useFirstUnreadAnchor || anchor === "first_unread") return firstUnread(ctx, condition);
  if (anchor === "newest") return anchorNewest;
  if (anchor === "oldest") return 0;
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.");
  if (typeof anchor === "string" && !/^-?\d+(\.0+)?(e\+?\d+)?$/i.test(anchor)) throw badRequest("Invalid anchor.");
  return Math.min(Math.max(Number(anchor), 0), anchorNewest);
}

async function firstUnread(ctx: Context<Person>, condition: SQL): Promise<number> {
  const { messages } = ctx.reader.t;
  const [oldest] = await ctx.reader.db
    .select({ id: messages.id })
    .from(messages)
    .where(and(condition, await isUnread(ctx)))
    .orderBy(asc(messages.id))
    .limit(1);
  return oldest?.id ?? anchorNewest;
}

async function readSide(ctx: Context<Person>, condition: SQL, anchor: number, side: "before" | "after", count: number) {
  if (count === 0) return [];
  const { id } = ctx.reader.t.messages;
  const isAtNewest = anchor >= anchorNewest;
  if (side === "after") return readRows(ctx, and(condition, gt(id, anchor)), "asc", count);
  return readRows(ctx, isAtNewest ? condition : and(condition, lt(id, anchor)), "desc", count);
}

function readRows(
  ctx: Context<Person>,
  condition: SQL | undefined,
  order: "asc" | "desc",
  count: number,
): Promise<MessageRow[]> {
  const { messages } = ctx.reader.t;
  const query = ctx.reader.db.select(messageColumns(ctx.reader.t)).from(messages).where(condition);
  return query.orderBy(order === "asc" ? asc(messages.id) : desc(messages.id)).limit(count);
}

export const GetMessage = record({
  messageId: id(),
  applyMarkdown: optional(flag()),
  clientGravatar: optional(flag()),
  allowEmptyTopicName: optional(flag()),
});

/** Reads one message, with its source. Refuses a missing one and one that the actor may not read alike. */
export async function getMessage(
  ctx: Context<Person>,
  input: Input<typeof GetMessage>,
): Promise<{ message: Record<string, unknown> | undefined; raw_content: string }> {
  const row = await loadReadableMessage(ctx.reader, ctx, input.messageId);
  const [message] = await showMessages(ctx, input, [row]);
  return { message, raw_content: row.content };
}

type View = Pick<GetMessagesInput, "applyMarkdown" | "clientGravatar" | "allowEmptyTopicName">;

async function showMessages(ctx: Context<Person>, input: View, rows: MessageRow[]) {
  const flags = await flagsOfMessages(ctx.reader, readerOf(ctx), rows);
  const view = {
    applyMarkdown: input.applyMarkdown ?? true,
    clientGravatar: input.clientGravatar ?? true,
    emptyTopicName: input.allowEmptyTopicName ?? false,
    isOfficialClient: ctx.client.startsWith("Zulip"),
    realmHost: ctx.realm.host,
  };
  const complete = await completeMessages(ctx.reader, ctx.realm.id, rows);
  return complete.map((message) => ({ ...messageWire(message, view), flags: flags.get(message.id) ?? [] }));
}
