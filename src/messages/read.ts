import type { Context, Person } from "../core/context";
import { ApiError, badRequest } from "../core/errors";
import { either, flag, type Input, id, ids, integer, json, optional, record, text } from "../core/params";
import { JsonMembers, membersJson } from "../core/raw-json";
import { onlookerOf } from "../users/onlooker";
import { flagsOfMessages } from "./flags-state";
import { parseNarrow } from "./narrow";
import { type NarrowQuery, narrowQuery, type Side, selectIds, unreadOf } from "./narrow-sql";
import { filterReadable, loadReadableMessage, readerOf } from "./queries";
import { readMessages, textWriter } from "./texts";
import { peopleIn } from "./wire";

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
 * Reads messages around an anchor, oldest first, or by id: those of the narrow that the actor may read, all as of one
 * moment. `found_oldest` and `found_newest` tell whether there are none beyond. Shape: `api/api-surface.json`,
 * GET /messages.
 */
export function getMessages(ctx: Context<Person>, input: GetMessagesInput): Promise<JsonMembers> {
  return ctx.app.engine.snapshot(async (reader) => {
    const at = { ...ctx, reader };
    const { ids, ...range } = input.messageIds
      ? await readByIds(at, input, input.messageIds)
      : await readRange(at, input);
    const others = membersJson({ ...range, history_limited: false });
    return new JsonMembers(`"messages":[${await showMessages(at, input, ids)}],${others}`);
  });
}

type RangeInput = Pick<
  GetMessagesInput,
  "anchor" | "includeAnchor" | "numBefore" | "numAfter" | "narrow" | "useFirstUnreadAnchor"
>;

/**
 * The ids of the messages around an anchor, oldest first, that are of the narrow and that the actor may read; with the
 * anchor by id, and whether there are none beyond. Refuses too many at once and what is no narrow or anchor.
 */
export async function readRange(ctx: Context<Person>, input: RangeInput) {
  const { includeAnchor = true } = input;
  const { numBefore = 0, numAfter = 0 } = input;
  if (numBefore + numAfter > messagesPerRequestMax) throw tooMany();
  if (!includeAnchor && numBefore > 0 && numAfter > 0)
    throw badRequest("The anchor can only be left out at an end of the range.");
  const query = await narrowQuery(ctx, parseNarrow(input.narrow ?? []));
  const anchor = await resolveAnchor(ctx, input, query);
  const isAtNewest = anchor >= anchorNewest;
  const select = async (side: Side, count: number) =>
    count === 0 ? [] : selectIds(ctx, query, side, { anchor, count });
  const before = await select(isAtNewest ? "newest" : "before", numBefore);
  const at = includeAnchor && !isAtNewest ? await select("at", 1) : [];
  const after = isAtNewest ? [] : await select("after", numAfter);
  return {
    ids: [...before.reverse(), ...at, ...after],
    anchor,
    found_anchor: at.length === 1,
    found_oldest: anchor === 0 || before.length < numBefore,
    found_newest: isAtNewest || after.length < numAfter,
  };
}

async function readByIds(ctx: Context<Person>, input: GetMessagesInput, messageIds: number[]) {
  if (messageIds.length > messagesPerRequestMax) throw tooMany();
  const names = ["numBefore", "numAfter", "anchor", "includeAnchor", "useFirstUnreadAnchor"] as const;
  if (names.some((name) => input[name] !== undefined)) throw idsOrAnchor();
  const known = await readMessages(ctx.reader, ctx.realm.id, [...new Set(messageIds)]);
  const messages = [...known.values()].map(({ message }) => message).sort((a, b) => a.id - b.id);
  const readable = await filterReadable(ctx.reader, readerOf(ctx), messages);
  return {
    ids: readable.map(({ id: messageId }) => messageId),
    ...{ found_anchor: false, found_oldest: false, found_newest: false },
  };
}

const tooMany = () => badRequest(`Too many messages requested: at most ${messagesPerRequestMax} at a time.`);

const idsOrAnchor = () =>
  new ApiError("BAD_REQUEST", "Send message_ids, or an anchor with num_before and num_after, not both.", 400, {
    parameters: "num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor",
  });

/** The message id that an anchor means; 0 and 10^16 stand for the two ends. */
async function resolveAnchor(ctx: Context<Person>, input: RangeInput, query: NarrowQuery): Promise<number> {
  const { anchor, useFirstUnreadAnchor } = input;
  if (useFirstUnreadAnchor || anchor === "first_unread") return firstUnread(ctx, query);
  if (anchor === "newest") return anchorNewest;
  if (anchor === "oldest") return 0;
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.");
  if (typeof anchor === "string" && !/^-?\d+(\.0+)?(e\+?\d+)?$/i.test(anchor)) throw badRequest("Invalid anchor.");
  return Math.min(Math.max(Number(anchor), 0), anchorNewest);
}

async function firstUnread(ctx: Context<Person>, query: NarrowQuery): Promise<number> {
  const [oldest] = await selectIds(ctx, await unreadOf(ctx, query), "after", { anchor: 0, count: 1 });
  return oldest ?? anchorNewest;
}

export const GetMessage = record({
  messageId: id(),
  applyMarkdown: optional(flag()),
  clientGravatar: optional(flag()),
  allowEmptyTopicName: optional(flag()),
});

/** Reads one message, with its source. Refuses a missing one and one that the actor may not read alike. */
export function getMessage(ctx: Context<Person>, input: Input<typeof GetMessage>): Promise<JsonMembers> {
  return ctx.app.engine.snapshot(async (reader) => {
    const at = { ...ctx, reader };
    const { id: messageId, content } = await loadReadableMessage(reader, at, input.messageId);
    const message = await showMessages(at, input, [messageId]);
    return new JsonMembers(`"message":${message},${membersJson({ raw_content: content })}`);
  });
}

type View = Pick<GetMessagesInput, "applyMarkdown" | "clientGravatar" | "allowEmptyTopicName">;

/** The message objects of the protocol with the actor's flags, as JSON with commas between, in the order of the ids. */
async function showMessages(ctx: Context<Person>, input: View, messageIds: number[]): Promise<string> {
  const known = await readMessages(ctx.reader, ctx.realm.id, messageIds);
  const messages = messageIds.flatMap((messageId) => known.get(messageId) ?? []);
  const flags = await flagsOfMessages(
    ctx.reader,
    readerOf(ctx),
    messages.map(({ message }) => message),
  );
  const write = textWriter({
    applyMarkdown: input.applyMarkdown ?? true,
    clientGravatar: input.clientGravatar ?? true,
    emptyTopicName: input.allowEmptyTopicName ?? false,
    isOfficialClient: ctx.client.startsWith("Zulip"),
    realmHost: ctx.realm.host,
    onlooker: await onlookerOf(ctx.reader, ctx, peopleIn(messages.map(({ message }) => message))),
  });
  const pieces: string[] = [];
  for (const one of messages) pieces.push(write(one), flagsJson(flags.get(one.message.id)));
  // Joined once: as many small texts in between would cost as much as the rest.
  return pieces.join("").slice(0, -1);
}

const ends = new Map<string, string>();
const endsMax = 256;

/** The end of a message object, and the comma after it. People have few combinations of flags. */
function flagsJson(flags: readonly string[] = []): string {
  const key = flags.join();
  let end = ends.get(key);
  if (end === undefined) {
    end = `${JSON.stringify(flags)}},`;
    if (ends.size < endsMax) ends.set(key, end);
  }
  return end;
}
