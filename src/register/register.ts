import { type TProperties, Type } from "@sinclair/typebox";
import type { Reader } from "../../db/reader";
import type { Context, Person, UserRow } from "../core/context";
import type { Connection } from "../core/endpoint";
import { ApiError, badRequest, realmDeactivated, unauthorized } from "../core/errors";
import type { QueueOptions } from "../core/event-hub";
import { isLongText, lengthOfTexts, writeMembers } from "../core/json/long-json";
import { JsonMembers, JsonPieces, membersJson } from "../core/json/raw-json";
import { isRecord } from "../core/json/record";
import {
  either,
  flag,
  type Input,
  integer,
  json,
  nullable,
  optional,
  record,
  text,
  texts,
  word,
} from "../core/params";
import { roles } from "../core/rights/role";
import type { StateLoader } from "../core/state";
import { beginLongWork, endLongWork, turn } from "../core/turns/turn";
import { featureLevel, protocolVersion } from "../core/version";
import { write } from "../core/write";
import { isZulipClient } from "../core/zulip-client";
import { type EmptyState, emptyStateKeys, emptyStates } from "../events/empty-state";
import { statesWithoutRows } from "../events/own-rows";
import { queueCounts } from "../events/queue-counts";
import { findOpening, idleTimeoutSecondsMax, insertQueue } from "../events/queues";
import { cached } from "../memory/cached";
import { findLogHead } from "../memory/realm-memory";
import { findUser } from "../people/users/queries";
import { loadRealm } from "../realm/queries";
import { withBotDefaults } from "./bot-defaults";

export const Register = record({
  applyMarkdown: optional(flag()),
  clientGravatar: optional(flag()),
  includeSubscribers: optional(either(flag(), word("partial"), text())),
  slimPresence: optional(flag()),
  presenceHistoryLimitDays: optional(integer({ minimum: 0 })),
  eventTypes: optional(texts()),
  fetchEventTypes: optional(texts()),
  allPublicStreams: optional(flag()),
  clientCapabilities: optional(json()),
  narrow: optional(json()),
  idleQueueTimeout: optional(either(integer({ minimum: 1 }), text())),
  queueLifespanSecs: optional(integer({ minimum: 0 })),
});

/** The answer of `register`: the requested parts of the state. Each feature declares its keys. */
export const registerOutput = <Keys extends TProperties>(stateKeys: Keys) =>
  Type.Object({
    queue_id: nullable(Type.String({ description: "Null for a spectator, who has no queue." })),
    last_event_id: Type.Integer(),
    zulip_version: Type.String(),
    zulip_feature_level: Type.Integer(),
    zulip_merge_base: Type.String(),
    service_feature_level: Type.Integer(),
    idle_queue_timeout_secs: Type.Optional(
      Type.Integer({ description: "Only where there is a queue." }),
    ),
    ...Type.Partial(Type.Object({ ...emptyStateKeys, ...stateKeys })).properties,
  });

export type RegisterInput = Input<typeof Register>;

const mobileTimeoutSeconds = 12 * 3600;
const narrowTermsMax = 100;
const capabilities = [
  "archived_channels",
  "bulk_message_deletion",
  "empty_topic_name",
  "include_deactivated_groups",
  "linkifier_url_template",
  "notification_settings_null",
  "simplified_presence_events",
  "stream_typing_notifications",
  "user_avatar_url_field_optional",
  "user_list_incomplete",
  "user_settings_object",
];

/**
 * Opens an event queue and answers the requested state, both as of one moment: applying the queue's
 * events to the state gives the answer of a later register. Shape:
 * `test/recorded/api/register.json`. An answer that is too large for the node's budget opens no
 * queue.
 */
export async function register(
  ctx: Context<Person>,
  input: RegisterInput,
  { expect }: Answered,
): Promise<JsonPieces> {
  const { checkNarrow } = ctx.app.realtime;
  const options = queueOptions(ctx, await withBotDefaults(ctx, input));
  requireNarrow(checkNarrow, options.narrow);
  if (options.allPublicStreams && ctx.actor.user.role === roles.guest) {
    throw badRequest("Guests do not see all public channels: register without all_public_streams.");
  }
  const idleTimeoutSeconds = idleTimeout(input, ctx.app.config.queueIdleSeconds);
  const wanted = input.fetchEventTypes ?? input.eventTypes;
  await ctx.app.events.follow(ctx.realm.id);
  const { queueId, state, isLong } = await open(ctx, options, idleTimeoutSeconds, wanted, expect);
  const head = membersJson({
    queue_id: queueId,
    last_event_id: -1,
    zulip_version: protocolVersion,
    zulip_feature_level: featureLevel,
    zulip_merge_base: protocolVersion,
    service_feature_level: featureLevel,
    idle_queue_timeout_secs: idleTimeoutSeconds,
  });
  if (isLong) await beginLongWork(ctx);
  return writeState(head, state, isLong);
}

/** The part of a connection that is told the length of an answer before it is written. */
export type Answered = Pick<Connection, "expect">;

/** Number of people of a realm who are cached between their clients' registers. */
const peopleMax = 1_000;
const userAsOf = cached(
  ["users"],
  (reader, realmId, userId) => findUser(reader, realmId, Number(userId)),
  {
    variantsMax: peopleMax,
    isOneRead: true,
    isKept: (user) => user !== undefined,
  },
);

/** Number of times that the state is read again because the user's queues were ended meanwhile. */
const attemptsMax = 3;

/** Reads the state and opens a queue that begins there. */
async function open(
  ctx: Context<Person>,
  options: QueueOptions,
  idleTimeoutSeconds: number,
  wanted: string[] | undefined,
  expect: Answered["expect"],
): Promise<{ queueId: string; state: State; isLong: boolean }> {
  const { states } = ctx.app.realtime;
  const { id: userId } = ctx.actor.user;
  for (const state of states)
    if (state.prepare && isChosen(state, wanted)) await state.prepare(ctx);
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    await beginLongWork(ctx);
    const { registeredAt, state } = await ctx.app.engine.snapshot(async (reader) => {
      const head = await findLogHead(reader, ctx.realm.id);
      const current = await asOf(ctx, reader, await userAsOf(reader, ctx.realm.id, String(userId)));
      return {
        registeredAt: head,
        state: await loadState(current, reader, options, states, wanted),
      };
    });
    const isLong = expectState(state, expect);
    // Many queues are opened in one commit, so others are let in before it.
    endLongWork(ctx.longWork);
    const queueId = await openQueue(ctx, options, registeredAt, idleTimeoutSeconds);
    if (queueId !== undefined) return { queueId, state, isLong };
  }
  throw new Error("The user's queues were ended repeatedly.");
}

/**
 * The context with the realm and the actor as of the snapshot, so that the state follows the rights
 * of that moment.
 */
async function asOf(
  ctx: Context<Person>,
  reader: Reader,
  user: UserRow | undefined,
): Promise<Context<Person>> {
  if (!user?.isActive) throw unauthorized();
  const realm = await loadRealm(reader, ctx.realm.id);
  return { ...ctx, realm, reader, actor: { ...ctx.actor, user } };
}

/**
 * Checks the user and the key again, so that no queue survives a deactivation that came in between.
 * Undefined when the user's queues were ended since the state was read, because events then do not
 * cover all differences.
 */
async function openQueue(
  ctx: Context<Person>,
  options: QueueOptions,
  registeredAt: number,
  idleTimeoutSeconds: number,
) {
  const { actor, realm, app } = ctx;
  const counts = queueCounts.of(app);
  const place = {
    realmId: realm.id,
    userId: actor.user.id,
    apiKeyId: actor.apiKeyId,
    after: registeredAt,
    isCounted: !counts.takeUncounted(actor.user.id),
  };
  return write(ctx, async (tx) => {
    const [current, opening] = await Promise.all([loadRealm(tx, realm.id), findOpening(tx, place)]);
    if (!current.isActive) throw realmDeactivated();
    if (!opening?.isActive || !opening.hasKey) throw unauthorized();
    if (opening.wereEnded) return undefined;
    const queue = {
      userId: place.userId,
      apiKeyId: place.apiKeyId,
      registeredAt,
      options,
      idleTimeoutSeconds,
    };
    const dropped = place.isCounted
      ? counts.droppedFor(place.userId, opening.queueCount, app.config.queuesPerUserMax)
      : 0;
    const stored = await insertQueue(tx, realm.id, queue, { dropped });
    tx.afterCommit(() => app.events.opened(stored));
    return stored.id;
  });
}

/** States that are equal for all people, by fetch event type, serialized once. */
const emptyTexts = Object.entries<EmptyState>(emptyStates).map(([type, empty]) => ({
  type,
  members: new JsonMembers(membersJson(empty())),
}));

const isWanted = (wanted: string[] | undefined, type: string) =>
  wanted === undefined || wanted.includes(type);

/**
 * Whether a state is answered for these fetch event types; without a list, all that need not be
 * named are.
 */
const isChosen = (
  { fetchTypes, unlessFetched, isOnlyIfNamed }: StateLoader,
  wanted: string[] | undefined,
) =>
  wanted === undefined
    ? unlessFetched === undefined && !isOnlyIfNamed
    : fetchTypes.every((type) => wanted.includes(type)) &&
      (unlessFetched === undefined || !wanted.includes(unlessFetched));

/** The answer of `register`, by feature. */
export type State = readonly (Record<string, unknown> | JsonMembers | JsonPieces)[];

const membersOf = (part: State[number]) =>
  isWritten(part) ? part : new JsonMembers(membersJson(part));

const isWritten = (part: State[number]): part is JsonMembers | JsonPieces =>
  part instanceof JsonMembers || part instanceof JsonPieces;

function lengthOf(part: State[number]): number {
  if (part instanceof JsonPieces) return part.length;
  return part instanceof JsonMembers ? part.text.length : lengthOfTexts(part);
}

/** Announces the length of a long state to `expect`; answers whether it is long. */
export function expectState(state: State, expect: Answered["expect"]): boolean {
  let length = 0;
  for (const part of state) length += lengthOf(part);
  const isLong = isLongText(length);
  if (isLong) expect(length);
  return isLong;
}

/** Length of a part's JSON, such as many unread messages, after which other work gets its turn. */
const lengthPerTurn = 65_536;

/**
 * Writes a state after other members. Parts of a long one are written in pieces, with turns for
 * other work.
 */
export async function writeState(head: string, state: State, isLong: boolean): Promise<JsonPieces> {
  const pieces: string[] = [];
  let piece = head;
  for (const part of state) {
    const written = isLong && !isWritten(part) ? await writeMembers(part) : membersOf(part);
    if (written instanceof JsonPieces) {
      pieces.push(`${piece},`, ...written.pieces);
      piece = "";
    } else if (written.text !== "") {
      piece += `,${written.text}`;
      if (written.text.length >= lengthPerTurn) await turn();
    }
  }
  pieces.push(piece);
  return new JsonPieces(pieces);
}

/** The requested states of all features. */
export async function loadState(
  ctx: Context<Person>,
  reader: Reader,
  options: QueueOptions,
  states: readonly StateLoader[],
  wanted: string[] | undefined,
): Promise<State> {
  const members: State[number][] = emptyTexts.flatMap(({ type, members: empty }) =>
    isWanted(wanted, type) ? [empty] : [],
  );
  const chosen = states.filter((state) => isChosen(state, wanted));
  const isOwning = chosen.some(({ own }) => own);
  const withoutRows =
    isOwning && statesWithoutRows(reader, states, ctx.realm.id, ctx.actor.user.id);
  const read = (state: StateLoader) => {
    const { own } = state;
    const load = () => state.load(ctx, reader, options);
    return own && withoutRows
      ? withoutRows.then((without) => (without.has(state) ? own.none : load()))
      : load();
  };
  // In parallel, because PostgreSQL then gets their statements together. Each is awaited, even
  // where another has failed.
  for (const one of await Promise.allSettled(chosen.map(read))) {
    if (one.status === "rejected") throw one.reason;
    members.push(one.value);
  }
  return members;
}

export function queueOptions(ctx: Context<Person>, input: RegisterInput): QueueOptions {
  const knows = readCapabilities(input.clientCapabilities);
  return {
    eventTypes: input.eventTypes ?? null,
    narrow: readNarrow(input.narrow),
    allPublicStreams: input.allPublicStreams ?? false,
    applyMarkdown: input.applyMarkdown ?? false,
    clientGravatar: input.clientGravatar ?? true,
    slimPresence: input.slimPresence ?? false,
    presenceHistoryLimitDays: input.presenceHistoryLimitDays ?? null,
    simplifiedPresenceEvents: knows["simplified_presence_events"] === true,
    includeSubscribers: readIncludeSubscribers(input.includeSubscribers),
    bulkMessageDeletion: knows["bulk_message_deletion"] === true,
    emptyTopicName: knows["empty_topic_name"] === true,
    streamTypingNotifications: knows["stream_typing_notifications"] === true,
    userListIncomplete: knows["user_list_incomplete"] === true,
    includeDeactivatedGroups: knows["include_deactivated_groups"] === true,
    archivedChannels: knows["archived_channels"] === true,
    isOfficialClient: isZulipClient(ctx.client),
  };
}

/** An invalid narrow is BAD_REQUEST here, but BAD_NARROW when messages are read. */
function requireNarrow(check: (narrow: unknown) => unknown, narrow: unknown[]) {
  try {
    check(narrow);
  } catch (error) {
    throw error instanceof ApiError ? badRequest(error.message) : error;
  }
}

/** Capabilities of later versions of the protocol are ignored. */
function readCapabilities(given: unknown): Record<string, unknown> {
  if (given === undefined) return {};
  if (!isRecord(given)) throw badRequest("client_capabilities must be a JSON object.");
  if (given["notification_settings_null"] === undefined) {
    throw badRequest('client_capabilities must have "notification_settings_null".');
  }
  const wrong = capabilities.find(
    (name) => given[name] !== undefined && typeof given[name] !== "boolean",
  );
  if (wrong !== undefined)
    throw badRequest(`client_capabilities["${wrong}"] must be true or false.`);
  return given;
}

function readNarrow(given: unknown): unknown[] {
  if (given === undefined) return [];
  if (Array.isArray(given) && given.length <= narrowTermsMax) return given;
  throw badRequest(`narrow must be a JSON list of at most ${narrowTermsMax} terms.`);
}

function readIncludeSubscribers(
  given: RegisterInput["includeSubscribers"],
): QueueOptions["includeSubscribers"] {
  if (given === undefined) return "unsaid";
  const text = String(given);
  if (text === "true" || text === "false" || text === "partial") return text;
  throw badRequest("include_subscribers must be true, false or partial.");
}

function idleTimeout(
  { idleQueueTimeout, queueLifespanSecs }: RegisterInput,
  standard: number,
): number {
  const asked = idleQueueTimeout ?? (queueLifespanSecs || undefined);
  if (asked === undefined) return standard;
  if (asked === "mobile") return mobileTimeoutSeconds;
  if (typeof asked === "string")
    throw badRequest('idle_queue_timeout must be a whole number of seconds or "mobile".');
  return Math.min(asked, idleTimeoutSecondsMax);
}
