import { expect } from "bun:test";
import { applyEvent as applyToModel, type Model, modelFrom } from "../../../src/web/model/snapshot";
import type { Queue, WireEvent } from "../client";
import { testEngine } from "../databases/storage";
import type { Person, World } from "../world";
import { withoutForgotten } from "./channels";
import { applyEvent, type ClientState, heldByModel } from "./client-state";
import { statesFromScratch } from "./from-scratch";
import { comparableModel, rightsOf } from "./web-model";

/** The cast, in the order in which the server is asked. */
const everybody = [
  "olga",
  "adam",
  "mona",
  "alice",
  "bob",
  "carol",
  "otto",
  "robot",
  "greta",
] as const;

type Name = (typeof everybody)[number];

/**
 * People whose states are compared. On PostgreSQL they are the owner, a member of all channels and
 * one of none, the bot and the guest, because the states of the others are read by the statements
 * of these. The states of everybody are compared on SQLite, and by `verify-many-endpoints` on both.
 */
const compared: readonly Name[] =
  testEngine === "postgres" ? ["olga", "alice", "otto", "robot", "greta"] : everybody;

/**
 * Number of actions of a chain after which the states are compared with the database once. On
 * PostgreSQL that is every second action, because what a server's memory forgets after a change
 * does not depend on the engine. The last action of an odd number is compared on SQLite alone,
 * because nothing tells that no other one follows.
 */
const actionsPerComparison = testEngine === "postgres" ? 2 : 1;

/** Makes a register answer little, for people whose states are not compared. */
const withoutState = { fetch_event_types: ["message"] };

const standard = { include_subscribers: true, client_gravatar: false, slim_presence: true };

/** Checks as `verify` does, on both engines for each of the cast. */
export const verifyForEverybody = (world: World, action: () => Promise<unknown>) =>
  verifyInTurn(world, {}, everybody, 1)(action);

/**
 * Checks, for people of the cast and for the outsider, that the state before an action plus its
 * events gives the state after it, both as the protocol's clients and as the web client keep it.
 * People whom the action locks out, or whose queues it ends, are skipped; `clients` are the options
 * of each register. Without such options, the state after it is compared with the database, too.
 * Answers how many events each of the cast got.
 */
export const verify = (
  world: World,
  action: () => Promise<unknown>,
  clients: Record<string, unknown> = {},
): Promise<Record<string, number>> => verifyInTurn(world, clients, compared, 1)(action);

/**
 * Checks like `verify`, for one action after the other. People go on with the state that they got
 * after the last action instead of registering again, and with the events that have come since
 * then. So preparations between two actions are checked with the second one. Once per
 * `perComparison` actions, the states are compared with the database.
 */
export function verifyInTurn(
  world: World,
  clients: Record<string, unknown> = {},
  people: readonly Name[] = compared,
  perComparison = actionsPerComparison,
) {
  const options = { ...standard, ...clients };
  const register = (name: Name) =>
    world[name].register(people.includes(name) ? options : { ...options, ...withoutState });
  let kept = new Map<Name, Queue>();
  let stranger: Queue | undefined;
  let actions = 0;
  /** Queue of somebody before the next action; undefined for somebody who is locked out. */
  const begin = async (name: Name, queue: Queue | undefined) =>
    queue && (await eventsFor(world[name], queue)) ? queue : register(name).catch(() => undefined);
  return async (action: () => Promise<unknown>): Promise<Record<string, number>> => {
    // Nobody goes on with the state from before an action whose check has failed.
    const [last, next] = [kept, new Map<Name, Queue>()];
    kept = new Map();
    const before = await Promise.all(everybody.map((name) => begin(name, last.get(name))));
    stranger ??= await world.zoe.register(options);
    await action();
    const counts: Record<string, number> = {};
    const afterwards: { person: Person; state: ClientState }[] = [];
    for (const [index, name] of everybody.entries()) {
      const queue = before[index];
      const events = queue && (await eventsFor(world[name], queue));
      if (!queue || !events) continue;
      counts[name] = events.length;
      next.set(name, queue);
      queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId;
      if (!people.includes(name)) continue;
      const after = await register(name);
      expectLearned(name, queue.state, events, after.state);
      afterwards.push({ person: world[name], state: after.state });
      next.set(name, after);
    }
    actions++;
    const isCompared = Object.keys(clients).length === 0 && actions % perComparison === 0;
    if (isCompared) await expectAsStored(world, afterwards.reverse());
    expect(await stranger.events()).toEqual([]);
    kept = next;
    return counts;
  };
}

/** Checks that a state and events give the state that register tells afterwards. */
function expectLearned(
  name: Name,
  state: ClientState,
  events: readonly WireEvent[],
  after: ClientState,
) {
  // Where events come, a copy, because with them the other client changes its state in place.
  let model: Model = modelFrom(events.length > 0 ? structuredClone(state) : state);
  for (const event of events) {
    model = applyToModel(model, structuredClone(event));
    applyEvent(state, event);
  }
  const learned = { ...after, ...withoutForgotten(state, after) };
  expect({ name, ...comparable(state) }).toEqual({ name, ...comparable(learned) });
  const modelAfter = modelFrom(after);
  expect({ name, ...comparableModel(model, model) }).toEqual({
    name,
    ...comparableModel(modelAfter, model),
  });
  expect(after).toMatchObject(rightsOf(modelAfter));
}

/**
 * Expects that the server's memory agrees with the database. Where a part is cached for all
 * although it differs between people, the server has answered everybody with the owner's, because
 * she asked first. The database is read for the guest first, and for a member and the bot without a
 * cache. So a part that differs for the owner, for guests, members or bots differs here.
 */
async function expectAsStored(world: World, states: { person: Person; state: ClientState }[]) {
  const people = states.map(({ person }) => person);
  const stored = await statesFromScratch(world, people, [world.alice, world.robot]);
  for (const { person, state } of states) {
    const fresh = stored.get(person);
    if (fresh === undefined) throw new Error(`No state was read for ${person.fullName}.`);
    expect({ name: person.fullName, ...state }).toMatchObject(fresh);
  }
}

/**
 * Undefined for a client that is locked out or whose queue has ended: it registers again, which
 * gives it the state after the action.
 */
async function eventsFor(person: Person, queue: Queue): Promise<WireEvent[] | undefined> {
  const { status, body } = await queue.poll({ dont_block: true });
  if (status === 200) return body.events;
  if (body.code === "BAD_EVENT_QUEUE_ID" || !(await isLetIn(person))) return undefined;
  throw new Error(`the poll was refused: ${JSON.stringify(body)}`);
}

const isLetIn = async (person: Person) => (await person.get("/users/me")).status === 200;

type Row = ClientState;

const by = (key: string) => (a: Row, b: Row) => (a[key] < b[key] ? -1 : 1);

/** Placeholders for people whom a guest does not see do not count. */
const isKnown = ({ full_name }: Row) => full_name !== "Unknown user";

/**
 * Members that differ from one register to the next without an event, and members that clients work
 * out of the rest.
 */
const passing: readonly string[] = [
  "queue_id",
  "last_event_id",
  "server_timestamp",
  "presences",
  "presence_last_update_id",
  "max_message_id",
  "can_create_streams",
  "can_create_public_streams",
  "can_create_private_streams",
  "can_subscribe_other_users",
  "can_invite_others_to_realm",
  "can_create_web_public_streams",
  "recent_private_conversations",
];

/** A state as events keep it, each list in one order. */
function comparable(whole: ClientState) {
  const isCompared = (key: string) => !passing.includes(key) && !heldByModel.includes(key);
  const state = Object.fromEntries(Object.entries(whole).filter(([key]) => isCompared(key)));
  return {
    ...state,
    realm_users: whole.realm_users.filter(isKnown).sort(by("user_id")),
    realm_non_active_users: [...whole.realm_non_active_users].sort(by("user_id")),
    realm_bots: [...whole.realm_bots].sort(by("user_id")),
    streams: comparableChannels(whole.streams),
    subscriptions: comparableChannels(whole.subscriptions),
    unsubscribed: comparableChannels(whole.unsubscribed),
    never_subscribed: comparableChannels(whole.never_subscribed),
  };
}

/** No event tells the first message of a channel. */
const comparableChannels = (channels: Row[]) =>
  channels.map(({ first_message_id: _, ...channel }) => channel).sort(by("stream_id"));
