import { and, eq, inArray, isNotNull, isNull, like, sql } from "drizzle-orm";
import { allOf, anyOf, type Match, phrase } from "../../../db/sql/search/match";
import { findAccess, listChannels } from "../../channels/queries";
import { listUserTopics, type UserTopicRow } from "../../channels/user-topics/queries";
import type { Context, Person, RealmRow } from "../../core/context";
import { badNarrow } from "../../core/errors";
import { hasOpenHistory } from "../../core/reading-right/predicate";
import { wasPlacedInPeriod } from "../../core/reading-right/sql";
import { findVisibleUser } from "../../people/users/viewer";
import { resolvedPrefix, topicPolicies } from "../../protocol/topics";
import { findConversation } from "../../reading/conversations";
import { listFlagged } from "../../reading/flags-of-messages";
import { loadMuting } from "../../reading/unread/muting";
import type { UnreadPlace } from "../../reading/unread/unread-lines";
import { parseRealmSettings } from "../../realm/settings";
import { listMentioning } from "../attention/mentioned";
import { marks } from "../search/document";
import { readSearch, type SearchWords } from "../search/query";
import { mutedPart, wantsOfTopic } from "./muted";
import type { NarrowTerm } from "./narrow";
import {
  equalTo,
  everything,
  inOneOf,
  listedPart,
  negated,
  nothing,
  type Part,
  partWith,
} from "./parts";

/**
 * Condition of a term: on message rows, and on entries of the search index. `isIndexed` if only the
 * index can check it; otherwise the index is a faster way to the messages.
 */
export interface Condition {
  part: Part;
  match?: Match | undefined;
  isIndexed?: boolean;
  /** The messages that it lists one by one. */
  listed?: readonly number[];
  /** Whether no message can match. */
  isEmpty?: boolean;
  /**
   * All channels whose messages match, whatever else they are; for a negated term, the excluded
   * channels.
   */
  channels?: readonly number[];
  withoutChannels?: readonly number[];
  withoutDirect?: boolean;
  /** Place that contains all matching messages. */
  place?: UnreadPlace;
  /** Whether it asks for messages with reactions, and the words that it searches for. */
  hasReaction?: boolean;
  searched?: SearchWords;
}

/** Number of places that the index is searched for at once; for more, each message is tested. */
const placesMax = 64;

/** One of some marks, if there are not too many. */
export const oneOf = (matches: readonly Match[]): Match | undefined =>
  matches.length > 0 && matches.length <= placesMax ? anyOf(matches) : undefined;

/** A term of a narrow, for the actor. Refuses (BAD_NARROW) operands that the actor may not know. */
export async function conditionOf(ctx: Context<Person>, term: NarrowTerm): Promise<Condition> {
  const condition = await plainCondition(ctx, term);
  // A search ignores negation, as recorded.
  if (!term.negated || term.operator === "search") return condition;
  const { part, match, isIndexed } = condition;
  if (isIndexed && match) return { part: everything, match: { kind: "not", of: match }, isIndexed };
  return { part: negated(part), ...placesLeftOut(condition, term) };
}

const empty: Condition = { part: nothing, isEmpty: true };

/** The messages of a list, of the actor's flags or read state. */
const listed = (ids: readonly number[]): Condition =>
  ids.length === 0 ? empty : { part: listedPart(ids), listed: ids };

function placesLeftOut({ channels }: Condition, { operator, operand }: NarrowTerm) {
  return { withoutChannels: channels ?? [], withoutDirect: operator === "is" && operand === "dm" };
}

/** Not `async`, because each async function around another makes a narrow slower. */
function plainCondition(ctx: Context<Person>, term: NarrowTerm): Condition | Promise<Condition> {
  switch (term.operator) {
    case "channel":
      return channelCondition(ctx, term);
    case "channels":
      return channelsCondition(ctx, term.operand);
    case "topic":
      return topicCondition(term.operand.toLowerCase());
    case "sender":
      return senderCondition(ctx, term.operand);
    case "mentions":
      return mentionsCondition(ctx, term.operand);
    case "id":
      return { part: equalTo("id", term.operand), listed: [term.operand] };
    case "dm":
      return term.operand.length === 0 ? empty : conversationCondition(ctx, term.operand);
    case "dm-including":
      return term.operand.length === 0 ? empty : includingCondition(ctx, term.operand);
    case "is":
      return stateCondition(ctx, term.operand);
    case "has":
      return hasCondition(term.operand);
    case "in":
      return term.operand === "all" ? { part: everything } : heardCondition(ctx);
    case "search":
      return searchCondition(term.operand, ctx.realm);
    default:
      return { part: everything };
  }
}

/**
 * The terms with `is:mentioned` for `mentions` of the actor: both find equal messages, also
 * those that mention the actor in channels outside.
 */
export async function nameOwnMentions(
  ctx: Context<Person>,
  terms: readonly NarrowTerm[],
): Promise<NarrowTerm[]> {
  const named: NarrowTerm[] = [];
  for (const term of terms) {
    const isOwn =
      term.operator === "mentions" && (await personOf(ctx, term.operand)) === ctx.actor.user.id;
    const { negated: isNegated } = term;
    named.push(isOwn ? { operator: "is", operand: "mentioned", negated: isNegated } : term);
  }
  return named;
}

async function senderCondition(ctx: Context, operand: string | number): Promise<Condition> {
  const id = await personOf(ctx, operand);
  return { part: equalTo("senderId", id), match: phrase(marks.sender(id)) };
}

const topicCondition = (key: string): Condition => ({
  part: partWith("topic", { topic: key }, ({ t: { messages } }, given) =>
    and(isNotNull(messages.channelId), eq(messages.topicKey, given.topic)),
  ),
  // Made on demand, because messages of a topic are found without the search index.
  get match() {
    return phrase(marks.topic(key));
  },
});

/**
 * The messages of a channel that the actor may read; a hidden channel and a missing one are refused
 * alike.
 */
async function channelCondition(
  ctx: Context<Person>,
  { operand, negated: isNegated }: { operand: string | number; negated: boolean },
): Promise<Condition> {
  const reference = typeof operand === "number" ? { id: operand } : { name: operand };
  const access = await findAccess(ctx, ctx.reader, reference);
  if (!access?.mayRead) throw badNarrow("unknown channel");
  const { channel } = access;
  const part = equalTo("channelId", channel.id);
  const match = phrase(marks.channel(channel.id));
  const place: UnreadPlace = { kind: "channel", channelId: channel.id };
  if (isNegated || hasOpenHistory(channel)) return { part, match, place, channels: [channel.id] };
  const write: Part["write"] = (writing) =>
    and(part.write(writing), wasPlacedInPeriod(writing.t, writing.given));
  return { part: { ...part, form: "guardedChannelId", write }, match, place };
}

type ChannelsOperand = Extract<NarrowTerm, { operator: "channels" }>["operand"];

/** The narrow itself excludes messages that the actor may not read. */
async function channelsCondition(
  { reader, realm }: Context,
  operand: ChannelsOperand,
): Promise<Condition> {
  const channels = await listChannels(reader, realm.id);
  const wanted = channels.filter(({ inviteOnly, isWebPublic, isArchived }) => {
    if (operand === "public") return !inviteOnly;
    if (operand === "web-public") return isWebPublic;
    return operand === "archived" && isArchived;
  });
  const ids = wanted.map(({ id }) => id);
  if (ids.length === 0) return empty;
  return {
    part: inOneOf("channelId", ids),
    match: oneOf(ids.map((id) => phrase(marks.channel(id)))),
    channels: ids,
  };
}

async function personOf(ctx: Context, operand: string | number): Promise<number> {
  const user = await findVisibleUser(ctx.reader, ctx, operand);
  if (!user) throw badNarrow("unknown user");
  return user.id;
}

async function peopleOf(ctx: Context, operands: (string | number)[]): Promise<number[]> {
  const ids = new Set<number>();
  for (const one of operands) ids.add(await personOf(ctx, one));
  return [...ids];
}

async function conversationCondition(
  ctx: Context<Person>,
  people: (string | number)[],
): Promise<Condition> {
  const ids = new Set([ctx.actor.user.id, ...(await peopleOf(ctx, people))]);
  const sorted = [...ids].sort((a, b) => a - b);
  const conversationId = await findConversation(ctx.reader, ctx.realm.id, sorted);
  if (conversationId === undefined) return empty;
  const place: UnreadPlace = { kind: "conversation", conversationId };
  return {
    part: equalTo("conversationId", conversationId),
    match: phrase(marks.conversation(conversationId)),
    place,
  };
}

/**
 * The actor's conversations that include all of these people; with the actor alone, all of them.
 */
async function includingCondition(
  ctx: Context<Person>,
  people: (string | number)[],
): Promise<Condition> {
  const { reader, realm, actor } = ctx;
  const others = (await peopleOf(ctx, people)).filter((id) => id !== actor.user.id);
  const match = allOf([actor.user.id, ...others].map((id) => phrase(marks.participant(id))));
  const { conversationMembers: members } = reader.t;
  const rows = await reader.db
    .select({ id: members.conversationId })
    .from(members)
    .where(and(eq(members.realmId, realm.id), inArray(members.userId, [actor.user.id, ...others])))
    .groupBy(members.conversationId)
    .having(eq(sql<number>`count(*)`, others.length + 1));
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? empty : { part: inOneOf("conversationId", ids), match };
}

type IsOperand = Extract<NarrowTerm, { operator: "is" }>["operand"];

async function stateCondition(ctx: Context<Person>, operand: IsOperand): Promise<Condition> {
  const { reader, realm, actor } = ctx;
  const { id: me } = actor.user;
  switch (operand) {
    case "dm":
      return { part: isDirect, match: phrase(marks.participant(me)), place: { kind: "direct" } };
    case "resolved":
      return { part: isResolvedPart, match: phrase(marks.resolved) };
    case "unread":
      // Done by `readingOf`, because unread messages are not in a list.
      return { part: everything };
    case "starred":
      return flagged(ctx, me, "starred");
    case "mentioned":
      return listed(await listMentioning(reader, realm.id, me));
    case "alerted":
      return flagged(ctx, me, "has_alert_word");
    case "followed":
      return followedCondition(await listUserTopics(reader, realm.id, me));
    case "muted":
      return mutedCondition(ctx);
  }
}

const isDirect: Part = {
  form: "isDirect",
  values: {},
  write: ({ t }) => isNull(t.messages.channelId),
};

const isResolvedPart: Part = {
  form: "isResolved",
  values: {},
  write: ({ t }) =>
    and(isNotNull(t.messages.channelId), like(t.messages.topic, `${resolvedPrefix}%`)),
};

const flagged = async ({ reader, realm }: Context, userId: number, flag: string) =>
  listed(await listFlagged(reader, realm.id, userId, flag));

/** Messages that mention somebody by name. */
const mentionsCondition = async (ctx: Context, operand: string | number) =>
  flagged(ctx, await personOf(ctx, operand), "mentioned");

const topicMatches = (topics: readonly UserTopicRow[]): Match[] =>
  topics.map(({ channelId, topicKey }) =>
    allOf([phrase(marks.channel(channelId)), phrase(marks.topic(topicKey))]),
  );

function followedCondition(topics: readonly UserTopicRow[]): Condition {
  const followed = topics.filter(
    ({ visibilityPolicy }) => visibilityPolicy === topicPolicies.followed,
  );
  if (followed.length === 0) return empty;
  const write: Part["write"] = (writing) =>
    wantsOfTopic(writing, sql`(${sql.raw(String(topicPolicies.followed))})`);
  return { part: { form: "isFollowed", values: {}, write }, match: oneOf(topicMatches(followed)) };
}

/**
 * Messages in topics that the actor has muted, or in channels that they have muted, except topics
 * that they have unmuted or follow.
 */
async function mutedCondition({ reader, realm, actor }: Context<Person>): Promise<Condition> {
  const muting = await loadMuting(reader, { realmId: realm.id, userId: actor.user.id });
  const { channelIds, mutedTopics } = muting;
  if (channelIds.length + mutedTopics.length === 0) return empty;
  return {
    part: mutedPart(muting),
    match: oneOf([
      ...topicMatches(mutedTopics),
      ...channelIds.map((id) => phrase(marks.channel(id))),
    ]),
  };
}

/** Messages that the actor has not muted. */
const heardCondition = async (ctx: Context<Person>): Promise<Condition> => ({
  part: negated((await mutedCondition(ctx)).part),
});

type HasOperand = Extract<NarrowTerm, { operator: "has" }>["operand"];

function hasCondition(operand: HasOperand): Condition {
  if (operand !== "reaction")
    return { part: everything, match: phrase(marks[operand]), isIndexed: true };
  const write: Part["write"] = ({ t: { messages, reactions }, given }) =>
    sql`exists (select 1 from ${reactions} where ${reactions.realmId} = ${given.realmId}
      and ${reactions.messageId} = ${messages.id})`;
  return { part: { form: "hasReaction", values: {}, write }, hasReaction: true };
}

/** A search without searchable characters, such as punctuation alone, finds nothing. */
function searchCondition(typed: string, { settings }: Pick<RealmRow, "settings">): Condition {
  const searched = readSearch(typed, parseRealmSettings(settings).default_language);
  const { phrases } = searched;
  if (phrases.length === 0) return { ...empty, searched };
  return {
    part: everything,
    match: allOf(phrases.map((keys) => wordsMatch(keys, searched))),
    isIndexed: true,
    searched,
  };
}

/** Successive words; a single one also by its stem in the organization's language. */
function wordsMatch(keys: readonly string[], { stems }: SearchWords): Match {
  const typed = phrase(...keys);
  const [only = "", ...others] = keys;
  const stem = others.length === 0 ? stems.get(only) : undefined;
  return stem ? anyOf([typed, phrase(marks.stem(stem))]) : typed;
}
