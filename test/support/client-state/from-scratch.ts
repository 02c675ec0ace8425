import type { DataState, Reader } from "../../../db/reader";
import type { Context, Person as PersonActor } from "../../../src/core/context";
import type { QueueOptions } from "../../../src/core/event-hub";
import { JsonMembers, JsonPieces, membersJson } from "../../../src/core/json/raw-json";
import type { StateLoader } from "../../../src/core/state";
import { loadUser } from "../../../src/people/users/queries";
import { loadRealm } from "../../../src/realm/queries";
import { type Person, type World, worldHost } from "../world";
import type { ClientState } from "./client-state";

/**
 * Options of `world.<person>.register({ include_subscribers: true, client_gravatar: false,
 * slim_presence: true })`.
 */
const options: QueueOptions = {
  eventTypes: null,
  narrow: [],
  allPublicStreams: false,
  applyMarkdown: true,
  clientGravatar: false,
  slimPresence: true,
  presenceHistoryLimitDays: null,
  simplifiedPresenceEvents: false,
  includeSubscribers: "true",
  bulkMessageDeletion: true,
  emptyTopicName: true,
  streamTypingNotifications: true,
  userListIncomplete: false,
  includeDeactivatedGroups: false,
  archivedChannels: false,
  isOfficialClient: false,
};

/**
 * Parts of register's answer when nothing of the realm is cached: everything is read from the
 * database.
 */
export async function stateFromScratch(world: World, person: Person): Promise<ClientState> {
  const { engine } = world.app;
  return engine.snapshot(({ db, t, dialect }) => loadState(world, person, { db, t, dialect }));
}

/**
 * These parts for several people, as of one moment. They are read as a server reads them that has
 * just started: a part that is cached for all is read for the first person, and serves the others.
 * People of `alone` neither use nor fill the cache.
 */
export async function statesFromScratch(
  world: World,
  people: readonly Person[],
  alone: readonly Person[],
): Promise<Map<Person, ClientState>> {
  return world.app.engine.snapshot(async ({ db, t, dialect }) => {
    const dataState: DataState = { engine: {}, version: () => 0, changeOf: () => undefined };
    const states = new Map<Person, ClientState>();
    for (const person of people) {
      const moment = new Map();
      const reader = { db, t, dialect, moment, ...(alone.includes(person) ? {} : { dataState }) };
      states.set(person, await loadState(world, person, reader));
    }
    return states;
  });
}

function jsonOf(state: Awaited<ReturnType<StateLoader["load"]>>): string {
  if (state instanceof JsonPieces) return state.pieces.join("");
  return state instanceof JsonMembers ? state.text : membersJson(state);
}

async function loadState(
  { app, realm }: World,
  person: Person,
  reader: Reader,
): Promise<ClientState> {
  const user = await loadUser(reader, realm.id, person.id);
  const ctx: Context<PersonActor> = {
    app,
    reader,
    realm: await loadRealm(reader, realm.id),
    now: app.clock.now(),
    actor: { kind: "user", user, apiKeyId: 0 },
    client: "test",
    requestId: "test",
    url: `http://${worldHost}`,
  };
  const members: string[] = [];
  for (const { load, unlessFetched, isOnlyIfNamed } of app.realtime.states) {
    if (isOnlyIfNamed) continue;
    if (unlessFetched !== undefined) continue;
    const state = await load(ctx, reader, options);
    members.push(jsonOf(state));
  }
  return JSON.parse(`{${members.filter((text) => text !== "").join(",")}}`);
}
