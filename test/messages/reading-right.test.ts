import { afterEach, beforeEach, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { type ChannelRow, listChannels, privacyRule } from "../../src/channels/queries";
import { readNewestIds } from "../../src/channels/subscribers";
import { type AudienceMember, isAddressed } from "../../src/core/audience";
import {
  holdsPlace,
  isSubscribedNow,
  type Periods,
  periodsIn,
  wasSubscribedAt,
} from "../../src/core/reading-right/periods";
import {
  hasOpenHistory,
  mayKnowChannel,
  mayReadChannel,
  mayReadMessage,
} from "../../src/core/reading-right/predicate";
import { mayNotRead } from "../../src/core/reading-right/sql";
import { listPeriods, readableBy } from "../../src/core/reading-right/stored";
import { roles } from "../../src/core/rights/role";
import { loadQueueOwner } from "../../src/events/queue-owners";
import { findPlaces, type PlacedMessage } from "../../src/reading/queries";
import { isReceived } from "../../src/reading/read-state";
import { seededRandom } from "../crash/seeded-random";
import { makeWorld, type Person, type World } from "../support/world";

/** `READING_SEED=7 READING_STEPS=500` tries another history, and a longer one. */
const seed = Number(process.env["READING_SEED"] ?? 20261126);
const steps = Number(process.env["READING_STEPS"] ?? 120);

let world: World;
beforeEach(async () => {
  world = await makeWorld({ web_public_streams_enabled: "true" });
});
afterEach(() => world.close());

const forms = {
  open: {},
  web: { is_web_public: true },
  shared: { invite_only: true, history_public_to_subscribers: true },
  guarded: { invite_only: true, history_public_to_subscribers: false },
  guarded2: { invite_only: true, history_public_to_subscribers: false },
};

/** Awaits a request without which the history would not hold what it must. */
async function refusedNothing(answer: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(JSON.stringify(body));
}

const join = (person: Person, name: string) =>
  world.olga.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals: [person.id],
  });

const leave = (person: Person, name: string) =>
  world.olga.delete("/users/me/subscriptions", { subscriptions: [name], principals: [person.id] });

/** A history of joining, leaving, sending, moving, and of changed roles and channels. */
async function makeHistory(dice: (limit: number) => number): Promise<number[]> {
  const { olga, alice, bob, otto, greta } = world;
  const pick = <Item>(items: readonly Item[]): Item => items[dice(items.length)] as Item;
  await olga.patch("/realm", { enable_spectator_access: true });
  const channels: number[] = [];
  for (const [name, form] of Object.entries(forms)) {
    const given = { name, subscribers: [olga.id], ...form };
    const { status, body } = await olga.post("/channels/create", given);
    if (status !== 200) throw new Error(JSON.stringify(body));
    channels.push(body.id);
  }
  const names = Object.keys(forms);
  // The one that is open to the web stays so, because nothing else in the history would be.
  const changing = channels.filter((_, index) => names[index] !== "web");
  const sent: number[] = [];
  const deeds = {
    join: (person: Person) => join(person, pick(names)),
    leave: (person: Person) => leave(person, pick(names)),
    send: async () => {
      sent.push(await olga.say(pick(names), `t${dice(2)}`, "hello"));
    },
    move: async () =>
      sent.length > 0 &&
      olga.patch(`/messages/${pick(sent)}`, {
        stream_id: pick(channels),
        propagate_mode: pick(["change_one", "change_later", "change_all"]),
      }),
    promote: async () =>
      olga.patch(`/users/${otto.id}`, { role: pick([roles.guest, roles.member]) }),
    change: async () =>
      olga.patch(`/streams/${pick(changing)}`, {
        is_private: true,
        history_public_to_subscribers: dice(2) === 0,
      }),
    open: async () => olga.patch(`/streams/${pick(changing)}`, { is_private: false }),
  };
  const likely = ["join", "join", "leave", "send", "send", "send", "move"] as const;
  const rare = ["promote", "change", "open"] as const;
  for (let step = 0; step < steps; step++) {
    const deed = dice(12) === 0 ? pick(rare) : pick(likely);
    await deeds[deed](pick([alice, bob, otto, greta]));
  }
  const guarded = channels[names.indexOf("guarded")] ?? 0;
  return [...sent, ...(await comeAndGo(guarded))].sort((a, b) => a - b);
}

/**
 * People join a channel whose history is guarded, leave it, and join it again. Before each of these
 * steps one message is sent there and an older one is moved there: the last ones before they leave
 * belong to their period, and the last ones before they join do not. In the end Bob leaves.
 */
async function comeAndGo(guarded: number): Promise<number[]> {
  const { olga, alice, bob, greta } = world;
  await refusedNothing(
    olga.patch(`/streams/${guarded}`, { is_private: true, history_public_to_subscribers: false }),
  );
  const older: number[] = [];
  for (let index = 0; index < 9; index++) older.push(await olga.say("general", "old", "hello"));
  const arrived: number[] = [];
  const arrive = async (topic: string) => {
    arrived.push(await olga.say("guarded", topic, "hello"));
    const moved = older.pop() ?? 0;
    const into = { stream_id: guarded, send_notification_to_new_thread: false };
    await refusedNothing(olga.patch(`/messages/${moved}`, into));
    arrived.push(moved);
  };
  for (const person of [alice, bob, greta]) {
    await refusedNothing(leave(person, "guarded"));
    await arrive("before they come");
    await refusedNothing(join(person, "guarded"));
    await arrive("before they leave");
    await refusedNothing(leave(person, "guarded"));
    await arrive("before they come back");
    await refusedNothing(join(person, "guarded"));
  }
  await refusedNothing(leave(bob, "guarded"));
  return arrived;
}

interface Facts {
  channels: readonly ChannelRow[];
  messages: readonly PlacedMessage[];
  logHead: number;
}

interface Reader {
  person: Person;
  role: number;
  periods: Periods;
  member: AudienceMember;
}

async function readerOf(person: Person, logHead: number): Promise<Reader> {
  const { reader } = world.app.engine;
  const member = await loadQueueOwner(reader, world.realm.id, person.id, logHead);
  if (!member) throw new Error(`${person.fullName} is deactivated.`);
  const periods = await listPeriods(reader, world.realm.id, person.id);
  return { person, role: member.role, periods, member };
}

const byPredicate = ({ channels, messages }: Facts, { periods, role }: Reader) =>
  messages
    .filter(({ channelId, placedAt }) => {
      const channel = channels.find(({ id }) => id === channelId);
      return channel && mayReadMessage(channel, periods, role, { placedAt });
    })
    .map(({ id }) => id);

const byAudience = ({ channels, messages, logHead }: Facts, { member }: Reader) =>
  messages
    .filter(({ channelId, placedAt }) => {
      const channel = channels.find(({ id }) => id === channelId);
      if (!channel) return false;
      const place = {
        channelId: channel.id,
        ...privacyRule(channel),
        ...(hasOpenHistory(channel) ? {} : { guardedPlace: placedAt }),
      };
      return isAddressed({ to: "subscribers", ...place }, member, logHead, true);
    })
    .map(({ id }) => id);

const allOf = { anchor: "newest", num_before: 5000, num_after: 0 };

/** Messages that came to somebody, by the narrow of everything. */
async function byNarrow({ messages }: Facts, { person }: Reader): Promise<number[]> {
  const { body } = await person.get("/messages", allOf);
  const ids = new Set(body.messages.map(({ id }: { id: number }) => id));
  return messages.map(({ id }) => id).filter((id) => ids.has(id));
}

/** Messages that somebody finds in one channel after the other. */
async function byNarrows({ channels, messages }: Facts, { person }: Reader): Promise<number[]> {
  const ids = new Set<number>();
  for (const { id: operand } of channels) {
    const narrow = [{ operator: "channel", operand }];
    const { status, body } = await person.get("/messages", { ...allOf, narrow });
    for (const { id } of status === 200 ? body.messages : []) ids.add(id);
  }
  return messages.map(({ id }) => id).filter((id) => ids.has(id));
}

/** The condition in SQL for one channel at a time, of the channels that somebody may read in. */
async function bySqlOfChannel({ channels, messages }: Facts, { person, role, periods }: Reader) {
  const { reader } = world.app.engine;
  const { messages: t } = reader.t;
  const ids: number[] = [];
  for (const channel of channels) {
    if (!mayReadChannel(role, channel, isSubscribedNow(periodsIn(periods, channel.id)))) continue;
    const isReadable = await readableBy(reader, person.id, channel);
    const rows = await reader.db
      .select({ id: t.id })
      .from(t)
      .where(and(eq(t.realmId, channel.realmId), eq(t.channelId, channel.id), isReadable));
    ids.push(...rows.map(({ id }) => id));
  }
  const known = new Set(messages.map(({ id }) => id));
  return ids.filter((id) => known.has(id)).sort((a, b) => a - b);
}

/** The channels that somebody may not read in, by the condition in SQL and by the predicate. */
async function closedChannels({ channels }: Facts, { person, role, periods }: Reader) {
  const { reader } = world.app.engine;
  const { users } = reader.t;
  const [inSql, inPredicate]: [number[], number[]] = [[], []];
  for (const channel of channels) {
    const isPerson = and(eq(users.realmId, channel.realmId), eq(users.id, person.id));
    const rows = await reader.db
      .select({ id: users.id })
      .from(users)
      .where(and(isPerson, mayNotRead(reader, channel, users.id)));
    if (rows.length > 0) inSql.push(channel.id);
    const isIn = isSubscribedNow(periodsIn(periods, channel.id));
    if (!mayReadChannel(role, channel, isIn)) inPredicate.push(channel.id);
  }
  return { inSql, inPredicate };
}

/** The channels that somebody may know, by the audience and by the predicate. */
const knownChannels = ({ channels, logHead }: Facts, { role, periods, member }: Reader) => ({
  inAudience: channels
    .filter((channel) =>
      isAddressed(
        { to: "channelViewers", channelId: channel.id, ...privacyRule(channel) },
        member,
        logHead,
        false,
      ),
    )
    .map(({ id }) => id),
  inPredicate: channels
    .filter((channel) =>
      mayKnowChannel(role, channel, isSubscribedNow(periodsIn(periods, channel.id))),
    )
    .map(({ id }) => id),
});

const moveAudiences = ["readers", "losers", "outsideReaders", "outsideLosers"] as const;

/**
 * Moves of which somebody hears and how, by the audience and by the predicate: of each message to
 * each other channel, now, halfway, and just before each time that the person left, for a client
 * that asks now.
 */
function moves(facts: Facts, reader: Reader) {
  const { channels, messages, logHead } = facts;
  const [inAudience, inPredicate]: [string[], string[]] = [[], []];
  for (const message of messages) {
    const from = channels.find(({ id }) => id === message.channelId);
    if (!from) continue;
    const guardedPlace = hasOpenHistory(from) ? {} : { guardedPlace: message.placedAt };
    const place = { channelId: from.id, ...privacyRule(from), ...guardedPlace };
    const leavings = periodsIn(reader.periods, from.id).flatMap(({ toLog }) => toLog ?? []);
    const logIds = [logHead, Math.floor(logHead / 2), ...leavings];
    for (const into of channels.filter((channel) => channel !== from)) {
      const ends = { from: place, into: { channelId: into.id, ...privacyRule(into) } };
      for (const logId of logIds) {
        const one = `${message.id} to ${into.id} at ${logId}`;
        for (const to of moveAudiences)
          if (isAddressed({ to, ...ends }, reader.member, logId, false))
            inAudience.push(`${one}: ${to}`);
        const to = hearsOfMove({ message, from, into, logId }, reader);
        if (to) inPredicate.push(`${one}: ${to}`);
      }
    }
  }
  return { inAudience, inPredicate };
}

interface PastMove {
  message: PlacedMessage;
  from: ChannelRow;
  into: ChannelRow;
  logId: number;
}

/** The audience that somebody belongs to: at most one, by their rights at the move and now. */
function hearsOfMove(
  { message: { placedAt }, from, into, logId }: PastMove,
  { role, periods }: Reader,
): (typeof moveAudiences)[number] | undefined {
  const [ofFrom, ofInto] = [periodsIn(periods, from.id), periodsIn(periods, into.id)];
  const [wasThere, wasIn] = [wasSubscribedAt(ofFrom, logId), wasSubscribedAt(ofInto, logId)];
  const received = wasThere && (hasOpenHistory(from) || holdsPlace(ofFrom, placedAt));
  const readsOld = mayReadMessage(from, periods, role, { placedAt });
  if (!mayReadChannel(role, into, wasIn)) {
    if (!received) return undefined;
    return readsOld ? "losers" : "outsideLosers";
  }
  if (!mayReadChannel(role, into, wasIn && isSubscribedNow(ofInto))) return undefined;
  if (!received && !(wasIn && mayKnowChannel(role, from, wasThere))) return undefined;
  return readsOld ? "readers" : "outsideReaders";
}

test(`who may read is one rule: as a predicate, in SQL and as an audience (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const sent = await makeHistory((limit) => Math.floor(random() * limit));
  const { reader } = world.app.engine;
  const facts = {
    channels: await listChannels(reader, world.realm.id),
    messages: await findPlaces(reader, world.realm.id, sent),
    logHead: (await readNewestIds(reader, world.realm.id)).log,
  };
  const counts: number[] = [];
  const met = new Set<string>();
  for (const person of [world.alice, world.bob, world.otto, world.greta, world.adam]) {
    const one = await readerOf(person, facts.logHead);
    const readable = byPredicate(facts, one);
    counts.push(readable.length);
    expect(byAudience(facts, one), `${person.fullName}: audience`).toEqual(readable);
    expect(await byNarrows(facts, one), `${person.fullName}: channels`).toEqual(readable);
    const received = facts.messages.filter((message) => isReceived(one, message));
    const came = new Set(received.map(({ id }) => id));
    expect(await byNarrow(facts, one), `${person.fullName}: all messages`).toEqual(
      readable.filter((id) => came.has(id)),
    );
    expect(await bySqlOfChannel(facts, one), `${person.fullName}: channel`).toEqual(readable);
    const closed = await closedChannels(facts, one);
    expect(closed.inSql, `${person.fullName}: closed channels`).toEqual(closed.inPredicate);
    const known = knownChannels(facts, one);
    expect(known.inAudience, `${person.fullName}: known channels`).toEqual(known.inPredicate);
    const heard = moves(facts, one);
    expect(heard.inAudience, `${person.fullName}: moves`).toEqual(heard.inPredicate);
    for (const to of moveAudiences)
      if (heard.inPredicate.some((move) => move.endsWith(`: ${to}`))) met.add(to);
  }
  // A history in which everybody reads equally many messages would compare nothing.
  expect(new Set(counts).size).toBeGreaterThan(1);
  expect([...met].sort()).toEqual([...moveAudiences].sort());
});
