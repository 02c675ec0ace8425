import { Type } from "@sinclair/typebox";
import type { Context, Person } from "../core/context";
import type { Connection } from "../core/endpoint";
import { incompatibleParameters, invalidMessage, tooLong, unauthorized } from "../core/errors";
import { JsonMembers, JsonPieces, membersJson } from "../core/json/raw-json";
import { either, flag, type Input, id, ids, integer, optional, record, text } from "../core/params";
import { beginLongWork } from "../core/turns/turn";
import { findReadableMessage } from "../reading/queries";
import { matchObject, readMessageObject } from "../reading/wire";
import { prepareIndex } from "./narrow/find";
import { findBriefly, findPatiently } from "./narrow/find-read";
import { type NarrowTerm, narrow } from "./narrow/narrow";
import {
  type FoundRange,
  messagesPerRequestMax,
  readRange,
  readRangeBy,
  tooMany,
} from "./narrow/read-range";
import { amongThese, narrowQuery, needsIndex } from "./narrow/sql";
import type { SearchWords } from "./search/query";
import {
  type MessageChoices,
  type MessagesAtHand,
  readForAnswer,
  type WrittenMessages,
  writeMessages,
} from "./written-messages";

export const GetMessages = record({
  anchor: optional(either(integer(), text())),
  anchorDate: optional(text()),
  includeAnchor: optional(flag()),
  numBefore: optional(integer({ minimum: 0 })),
  numAfter: optional(integer({ minimum: 0 })),
  narrow: optional(narrow()),
  messageIds: optional(ids()),
  useFirstUnreadAnchor: optional(flag()),
  applyMarkdown: optional(flag()),
  clientGravatar: optional(flag()),
  allowEmptyTopicName: optional(flag()),
});

/** Some messages, oldest first, and whether the range ends on either side. */
export const MessagePage = record({
  messages: Type.Array(
    Type.Object({ ...readMessageObject.properties, ...Type.Partial(matchObject).properties }),
  ),
  anchor: Type.Optional(Type.Integer({ description: "Absent when messages are requested by id." })),
  found_anchor: Type.Boolean(),
  found_oldest: Type.Boolean(),
  found_newest: Type.Boolean(),
  history_limited: Type.Boolean(),
  search_incomplete: Type.Optional(
    Type.Boolean({ description: "Whether the search index still lacks the newest messages." }),
  ),
});

type GetMessagesInput = Input<typeof GetMessages>;

/**
 * Reads messages around an anchor, oldest first, or by id: those of the narrow that the actor may
 * read, as of one moment. If they are many or long, or need a search, each is as of when it is
 * read, and still readable then. An answer has at most `answer_size_bytes_max` bytes: the messages
 * nearest to the anchor. `found_oldest` and `found_newest` tell whether the range ends there;
 * messages requested by id that are too long together are refused. Shape:
 * `test/recorded/api/api-surface.json`, GET /messages.
 */
export async function getMessages(
  ctx: Context<Person>,
  input: GetMessagesInput,
  connection: Connection,
): Promise<JsonPieces> {
  if (ctx.actor.kind === "spectator") requireWebPublic(input.narrow);
  await beginLongWork(ctx);
  if (input.messageIds) return getByIds(ctx, input, input.messageIds, connection);
  const isSearch = input.narrow !== undefined && needsIndex(input.narrow);
  const briefly = isSearch ? undefined : await getBriefly(ctx, input, connection);
  if (briefly) return briefly;
  return getFound(ctx, input, await readRange(ctx, input), connection);
}

/** Operators that a spectator may use, in addition to those that name web-public channels. */
const spectatorOperators = [
  "channel",
  "channels",
  "topic",
  "sender",
  "has",
  "search",
  "near",
  "id",
  "with",
];

/**
 * Refuses (UNAUTHORIZED) a spectator who asks for other messages than those of web-public channels.
 */
function requireWebPublic(terms: readonly NarrowTerm[] = []) {
  const isAskedFor = terms.some(
    ({ operator, operand, negated }) =>
      operator === "channels" && operand === "web-public" && !negated,
  );
  if (!isAskedFor || !terms.every(({ operator }) => spectatorOperators.includes(operator)))
    throw unauthorized();
}

/** Answer within a brief snapshot; undefined where it would block other work for too long. */
async function getBriefly(
  ctx: Context<Person>,
  input: GetMessagesInput,
  connection: Connection,
): Promise<JsonPieces | undefined> {
  const { expect } = connection;
  const found = await ctx.app.engine.snapshot(async (reader) => {
    const at = { ...ctx, reader };
    const range = await readRangeBy(at, input, findBriefly);
    if (!range) return undefined;
    return {
      range,
      atHand: await readForAnswer(at, input, nearestFirst(range), { areReadable: true, expect }),
    };
  });
  return found && answerRange(found.range, await writeAll(ctx, input, found.atHand, connection));
}

/** Answers messages that were just found. */
async function getFound(
  ctx: Context<Person>,
  input: GetMessagesInput,
  range: FoundRange,
  connection: Connection,
): Promise<JsonPieces> {
  return answerRange(
    range,
    await writeThese(ctx, input, nearestFirst(range), range.query.searched, connection),
  );
}

/** Writes found messages as they are now. */
async function writeThese(
  ctx: Context<Person>,
  input: GetMessagesInput,
  ids: readonly number[],
  searched: SearchWords | undefined,
  connection: Connection,
): Promise<WrittenMessages> {
  const { expect } = connection;
  const atHand = await ctx.app.engine.snapshot((reader) =>
    readForAnswer({ ...ctx, reader }, input, ids, { searched, expect }),
  );
  return writeAll(ctx, input, atHand, connection);
}

/**
 * Writes messages, and those that are left beyond them. A piece of these is read at once, as of
 * that moment: what the actor may not read by then is left out.
 */
const writeAll = (
  ctx: Context<Person>,
  choices: MessageChoices,
  first: MessagesAtHand,
  { expect }: Pick<Connection, "expect">,
): Promise<WrittenMessages> =>
  writeMessages(first, ctx.app.config.answerSizeBytesMax, (before) =>
    ctx.app.engine.snapshot((reader) =>
      readForAnswer({ ...ctx, reader }, choices, before.left, {
        searched: before.searched,
        before,
        expect,
      }),
    ),
  );

/**
 * The ids of a range in the order in which they get room in an answer: the anchor, then one of
 * either side in turns.
 */
function nearestFirst({ ids, ends: { anchor } }: FoundRange): number[] {
  const first = ids.findIndex((id) => id >= anchor);
  // All are on one side: the answer goes back from the newest message, or forward from an anchor.
  if (first <= 0) return first === 0 ? ids : ids.toReversed();
  const nearest: number[] = [];
  const isAt = ids[first] === anchor;
  if (isAt) nearest.push(anchor);
  const after = isAt ? first + 1 : first;
  for (let step = 0; nearest.length < ids.length; step++) {
    const [before, beyond] = [ids[first - 1 - step], ids[after + step]];
    if (before !== undefined) nearest.push(before);
    if (beyond !== undefined) nearest.push(beyond);
  }
  return nearest;
}

/** An answer without room for all messages has no end on their side. */
function answerRange(
  { ends, isIndexed }: FoundRange,
  { pieces, left }: WrittenMessages,
): JsonPieces {
  const { anchor, found_oldest, found_newest } = ends;
  return answer(pieces, {
    ...ends,
    found_oldest: found_oldest && !left.some((id) => id < anchor),
    found_newest: found_newest && !left.some((id) => id > anchor),
    ...(!isIndexed && searchIncomplete),
  });
}

/**
 * Tells a client that the search index lacks the newest messages, as after an import. A field of
 * chatd's own.
 */
const searchIncomplete = { search_incomplete: true };

const endsOfIds = { found_anchor: false, found_oldest: false, found_newest: false };

/**
 * The requested messages that are in the narrow, if there is one. Refuses instead of leaving some
 * out for lack of room.
 */
async function getByIds(
  ctx: Context<Person>,
  input: GetMessagesInput,
  messageIds: number[],
  connection: Connection,
): Promise<JsonPieces> {
  if (messageIds.length > messagesPerRequestMax) throw tooMany();
  const { anchor, numBefore, numAfter, useFirstUnreadAnchor } = input;
  // Values that ask for nothing are accepted, because clients send their defaults.
  if (anchor !== undefined || numBefore || numAfter || useFirstUnreadAnchor) throw idsOrAnchor();
  const asked = [...new Set(messageIds)].sort((a, b) => a - b);
  const { ids, searched, isIndexed } = await amongAsked(ctx, asked, input.narrow);
  const { pieces, left } = await writeThese(ctx, input, ids, searched, connection);
  if (left.length > 0)
    throw tooLong("message_ids", ctx.app.config.answerSizeBytesMax, ids.length - left.length);
  return answer(pieces, { ...endsOfIds, ...(!isIndexed && searchIncomplete) });
}

/** The requested messages that are in a narrow, oldest first. */
async function amongAsked(
  ctx: Context<Person>,
  asked: number[],
  terms: readonly NarrowTerm[] = [],
) {
  if (terms.length === 0) return { ids: asked, searched: undefined, isIndexed: true };
  const query = amongThese(await narrowQuery(ctx, terms), asked);
  const isIndexed = await prepareIndex(ctx, query);
  const found = await findPatiently(ctx, query, { side: "newest", anchor: 0, count: asked.length });
  return { ids: found.reverse(), searched: query.searched, isIndexed };
}

function answer(pieces: readonly string[], ends: Record<string, number | boolean>): JsonPieces {
  const others = membersJson({ ...ends, history_limited: false });
  return new JsonPieces(['"messages":[', ...pieces, `],${others}`]);
}

const idsOrAnchor = () =>
  incompatibleParameters(
    [
      "num_before",
      "num_after",
      "anchor",
      "message_ids",
      "include_anchor",
      "use_first_unread_anchor",
    ],
    "Send message_ids, or an anchor with num_before and num_after.",
  );

export const GetMessage = record({
  messageId: id(),
  applyMarkdown: optional(flag()),
  clientGravatar: optional(flag()),
  allowEmptyTopicName: optional(flag()),
});

export const OneMessage = record({ message: readMessageObject, raw_content: Type.String() });

/**
 * Reads one message, with its source. Refuses a missing one and one that the actor may not read
 * alike.
 */
export function getMessage(
  ctx: Context<Person>,
  input: Input<typeof GetMessage>,
  { expect }: Pick<Connection, "expect">,
): Promise<JsonMembers> {
  return ctx.app.engine.snapshot(async (reader) => {
    const at = { ...ctx, reader };
    const found = await findReadableMessage(reader, at, input.messageId);
    // A person who has signed in may be able to read it.
    if (!found) throw ctx.actor.kind === "spectator" ? unauthorized() : invalidMessage();
    const atHand = await readForAnswer(at, input, [found.id], { areReadable: true, expect });
    const { pieces } = await writeAll(at, input, atHand, { expect });
    return new JsonMembers(
      `"message":${pieces.join("")},${membersJson({ raw_content: found.content })}`,
    );
  });
}
