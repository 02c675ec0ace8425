import { isGuest } from "../channels/queries";
import type { Context, Person } from "../core/context";
import { ApiError, invalidMessage, unauthorized } from "../core/errors";
import { either, flag, type Input, id, ids, integer, json, optional, record, text } from "../core/params";
import { JsonMembers, membersJson } from "../core/raw-json";
import type { SearchWords } from "../search/query";
import { onlookerOf } from "../users/onlooker";
import { historyPolicyOf } from "./edit/edit-history";
import { flagsOfMessages, noFlags, readOnly } from "./flags/flags-of-messages";
import { findBriefly, findPatiently, prepareIndex } from "./narrow/find";
import { matchMembers } from "./narrow/matches";
import { parseNarrow } from "./narrow/narrow";
import { amongThese, narrowQuery, needsIndex } from "./narrow/sql";
import { filterReadable, findReadableMessage, readerOf } from "./queries";
import { messagesPerRequestMax, readRange, readRangeBy, tooMany } from "./read-range";
import { type MessageTexts, readMessages, textWriter } from "./texts";
import { type FullMessage, peopleIn } from "./wire";

export const GetMessages = record({
  anchor: optional(either(integer(), text())),
  anchorDate: optional(text()),
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
 * Reads messages around an anchor, oldest first, or by id: those of the narrow that the actor may read, as of one moment;
 * where they have to be searched for, each as of when it is found and readable still at the end. `found_oldest` and
 * `found_newest` tell whether there are none beyond. Shape: `api/api-surface.json`, GET /messages.
 */
export async function getMessages(ctx: Context<Person>, input: GetMessagesInput): Promise<JsonMembers> {
  if (ctx.actor.kind === "spectator") requireWebPublic(input.narrow);
  if (input.messageIds) return getByIds(ctx, input, input.messageIds);
  const isSearch = input.narrow !== undefined && needsIndex(parseNarrow(input.narrow));
  const briefly = isSearch ? undefined : await getBriefly(ctx, input);
  if (briefly) return briefly;
  const { ids, ends, query } = await readRange(ctx, input);
  return getFound(ctx, input, ids, ends, query.searched);
}

/** What a spectator may ask by, beside saying that they look at what is open to the web. */
const spectatorOperators = ["channel", "channels", "topic", "sender", "has", "search", "near", "id", "with"];

/** Refuses (UNAUTHORIZED) a spectator who asks for more than what is open to the web. */
function requireWebPublic(narrow: unknown) {
  const terms = parseNarrow(narrow ?? []);
  const isAskedFor = terms.some(
    ({ operator, operand, negated }) => operator === "channels" && operand === "web-public" && !negated,
  );
  if (!isAskedFor || !terms.every(({ operator }) => spectatorOperators.includes(operator))) throw unauthorized();
}

/** What takes no longer than others should wait for a snapshot; undefined of all else. */
function getBriefly(ctx: Context<Person>, input: GetMessagesInput): Promise<JsonMembers | undefined> {
  return ctx.app.engine.snapshot(async (reader) => {
    const at = { ...ctx, reader };
    const range = await readRangeBy(at, input, findBriefly);
    return range && answer(at, input, await textsOf(at, range.ids), range.ends);
  });
}

type Ends = Record<string, number | boolean>;

/** Shows messages that were found a moment ago. */
function getFound(
  ctx: Context<Person>,
  input: GetMessagesInput,
  messageIds: number[],
  ends: Ends,
  searched?: SearchWords,
): Promise<JsonMembers> {
  return ctx.app.engine.snapshot(async (reader) => {
    const at = { ...ctx, reader };
    return answer(at, input, await stillReadable(at, messageIds), ends, searched);
  });
}

const endsOfIds = { found_anchor: false, found_oldest: false, found_newest: false };

/** Those of some messages that are of the narrow, if there is one. */
async function getByIds(ctx: Context<Person>, input: GetMessagesInput, messageIds: number[]): Promise<JsonMembers> {
  if (messageIds.length > messagesPerRequestMax) throw tooMany();
  const names = ["numBefore", "numAfter", "anchor", "includeAnchor", "useFirstUnreadAnchor"] as const;
  if (names.some((name) => input[name] !== undefined)) throw idsOrAnchor();
  const asked = [...new Set(messageIds)].sort((a, b) => a - b);
  const terms = parseNarrow(input.narrow ?? []);
  if (terms.length === 0) return getFound(ctx, input, asked, endsOfIds);
  const query = amongThese(await narrowQuery(ctx, terms), asked);
  await prepareIndex(ctx, query);
  const found = await findPatiently(ctx, query, { side: "newest", anchor: 0, count: asked.length });
  return getFound(ctx, input, found.reverse(), endsOfIds, query.searched);
}

async function answer(
  ctx: Context<Person>,
  input: GetMessagesInput,
  messages: MessageTexts[],
  ends: Ends,
  searched?: SearchWords,
): Promise<JsonMembers> {
  const others = membersJson({ ...ends, history_limited: false });
  return new JsonMembers(`"messages":[${await showMessages(ctx, input, messages, searched)}],${others}`);
}

/** Those of some messages that there are, in the order of the ids. */
async function textsOf(ctx: Context<Person>, messageIds: number[]): Promise<MessageTexts[]> {
  const known = await readMessages(ctx.reader, ctx.realm.id, messageIds);
  return messageIds.flatMap((id) => known.get(id) ?? []);
}

/** Those that the actor may read now, which may be later than when they were found. */
async function stillReadable(ctx: Context<Person>, messageIds: number[]): Promise<MessageTexts[]> {
  const texts = await textsOf(ctx, messageIds);
  const messages = texts.map(({ message }) => message);
  const readable = await filterReadable(ctx.reader, readerOf(ctx), messages);
  if (readable.length === texts.length) return texts;
  const among = new Set<FullMessage>(readable);
  return texts.filter(({ message }) => among.has(message));
}

const idsOrAnchor = () =>
  new ApiError("BAD_REQUEST", "Send message_ids, or an anchor with num_before and num_after, not both.", 400, {
    parameters: "num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor",
  });

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
    const found = await findReadableMessage(reader, at, input.messageId);
    // Whoever signs in may find it.
    if (!found) throw ctx.actor.kind === "spectator" ? unauthorized() : invalidMessage();
    const { id: messageId, content } = found;
    const message = await showMessages(at, input, await textsOf(at, [messageId]));
    return new JsonMembers(`"message":${message},${membersJson({ raw_content: content })}`);
  });
}

type View = Pick<GetMessagesInput, "applyMarkdown" | "clientGravatar" | "allowEmptyTopicName">;

/** The message objects of the protocol with the actor's flags, as JSON with commas between. */
async function showMessages(
  ctx: Context<Person>,
  input: View,
  messages: MessageTexts[],
  searched?: SearchWords,
): Promise<string> {
  const found = messages.map(({ message }) => message);
  const flags = await flagsOfMessages(ctx.reader, readerOf(ctx), found);
  const write = textWriter({
    applyMarkdown: input.applyMarkdown ?? true,
    clientGravatar: input.clientGravatar ?? true,
    emptyTopicName: input.allowEmptyTopicName ?? false,
    isOfficialClient: ctx.client.startsWith("Zulip"),
    realmHost: ctx.realm.host,
    editHistory: historyPolicyOf(ctx.realm),
    onlooker: await onlookerOf(ctx.reader, ctx, isGuest(ctx.actor.user.role) ? peopleIn(found) : []),
  });
  const pieces: string[] = [];
  for (const one of messages) {
    const own = flags.get(one.message.id);
    pieces.push(write(one), searched ? foundJson(own, one.message, searched, input) : flagsJson(own));
  }
  // Joined once: as many small texts in between would cost as much as the rest.
  return pieces.join("").slice(0, -1);
}

/** The same end with what was found. */
function foundJson(
  flags: readonly string[] = noFlags,
  message: FullMessage,
  searched: SearchWords,
  input: View,
): string {
  return `${flagsList(flags)},${matchMembers(message, searched, input.allowEmptyTopicName)}},`;
}

/** Nearly all messages have no flag, or the one that they are read: of those there is one list for all. */
const lists = new Map([noFlags, readOnly].map((flags) => [flags, JSON.stringify(flags)]));
const ends = new Map([noFlags, readOnly].map((flags) => [flags, `${JSON.stringify(flags)}},`]));

const flagsList = (flags: readonly string[]): string => lists.get(flags) ?? JSON.stringify(flags);

/** The end of a message object, and the comma after it. */
const flagsJson = (flags: readonly string[] = noFlags): string => ends.get(flags) ?? `${JSON.stringify(flags)}},`;
