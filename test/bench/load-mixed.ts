import { type Connection, formatRequest, openConnections, type Reply } from "./http-client";
import { type Listener, readArrivals, registerListener } from "./listener";
import { openListeners } from "./load-delivery";
import { formatMessageForm, readSentId } from "./load-sends";
import { authorizationOf, type LoadTarget } from "./load-target";
import { topicCount } from "./seeding";
import type { Scenario } from "./work";

/** People who do things one after the other, and clients that wait for what they do. */
const actors = 16;
const waiting = 8;
/**
 * Time that the server needs to compile its most used code: what is measured is how it goes on. The
 * time of a request falls by a third within ten seconds.
 */
const warmUpMs = 10_000;
const recentMax = 20;

/** Of a hundred requests, how many are what. */
const mix = {
  poll: 30,
  read: 15,
  flags: 15,
  typing: 15,
  presence: 15,
  send: 8,
  register: 2,
} as const;
type Deed = keyof typeof mix;

const deeds = Object.entries(mix).flatMap(([deed, count]) =>
  Array.from({ length: count }, () => deed as Deed),
);

export interface Actor {
  connection: Connection;
  authorization: string;
  listener: Listener;
  index: number;
}

interface Scene {
  target: LoadTarget;
  untilMs: number;
  /** Time that an actor rests after each request; 0 for one request right after the other. */
  pauseMs: number;
  /** The newest messages. */
  recent: number[];
  latenciesMs: Map<Deed | "wait", number[]>;
}

async function ask(connection: Connection, request: string): Promise<Reply> {
  const reply = await connection.request(request, true);
  if (reply.status !== 200)
    throw new Error(
      `${request.slice(0, 80)} was refused with ${reply.status}: ${reply.body.slice(0, 300)}`,
    );
  return reply;
}

async function poll({ connection, authorization, listener }: Actor): Promise<void> {
  const { queueId, lastEventId } = listener;
  const path = `/api/v1/events?queue_id=${encodeURIComponent(queueId)}&last_event_id=${lastEventId}&dont_block=true`;
  const reply = await connection.request(formatRequest("GET", path, authorization), true);
  readArrivals(listener, { atMs: 0, reply });
}

async function send(
  { connection, authorization, index }: Actor,
  { target, recent }: Scene,
): Promise<void> {
  const form = formatMessageForm(target.channel, `topic${index % topicCount}`, `actor${index}`);
  const { body } = await ask(
    connection,
    formatRequest("POST", "/api/v1/messages", authorization, form),
  );
  recent.unshift(readSentId(200, body));
  recent.length = Math.min(recent.length, recentMax);
}

function formatDeed(
  deed: Deed,
  { authorization, index }: Actor,
  { target, recent }: Scene,
  turn: number,
): string {
  const topic = `topic${(index + turn) % topicCount}`;
  if (deed === "read") {
    const narrow = encodeURIComponent(`[["channel","${target.channel}"],["topic","${topic}"]]`);
    const range = "anchor=newest&num_before=30&num_after=0";
    return formatRequest("GET", `/api/v1/messages?${range}&narrow=${narrow}`, authorization);
  }
  const post = (path: string, form: string) =>
    formatRequest("POST", `/api/v1${path}`, authorization, form);
  if (deed === "flags")
    return post("/messages/flags", `op=add&flag=read&messages=[${recent.slice(0, 5).join()}]`);
  if (deed === "typing")
    return post("/typing", `type=stream&op=start&stream_id=${channelId}&topic=${topic}`);
  if (deed === "presence")
    return post("/users/me/presence", "status=active&new_user_input=true&ping_only=false");
  throw new Error(`${deed} is no single request`);
}

/**
 * A client that starts, and goes: without the end of its queue there would be more of them all the
 * time.
 */
async function register({ connection, authorization }: Actor): Promise<void> {
  const { queueId } = await registerListener(connection, authorization, "apply_markdown=true");
  const form = `queue_id=${encodeURIComponent(queueId)}`;
  await ask(connection, formatRequest("DELETE", "/api/v1/events", authorization, form));
}

let channelId = 0;

async function findChannel(connection: Connection, target: LoadTarget): Promise<number> {
  const path = `/api/v1/get_stream_id?stream=${target.channel}`;
  const { body } = await ask(connection, formatRequest("GET", path, authorizationOf(target, 0)));
  return Number(/"stream_id":(\d+)/.exec(body)?.[1] ?? 0);
}

async function act(actor: Actor, scene: Scene): Promise<void> {
  for (let turn = actor.index * 7; performance.now() < scene.untilMs; turn++) {
    const deed = deeds[(turn * 37) % deeds.length] ?? "poll";
    const startMs = performance.now();
    if (deed === "poll") await poll(actor);
    else if (deed === "send") await send(actor, scene);
    else if (deed === "register") await register(actor);
    else await ask(actor.connection, formatDeed(deed, actor, scene, turn));
    note(scene, deed, startMs);
    if (scene.pauseMs > 0) await Bun.sleep(scene.pauseMs);
  }
}

function note({ latenciesMs }: Scene, deed: Deed | "wait", startMs: number) {
  const known = latenciesMs.get(deed) ?? [];
  latenciesMs.set(deed, known);
  known.push(performance.now() - startMs);
}

/** A client that waits: how long it does is not its latency, but each answer is a request. */
async function wait(listener: Listener, scene: Scene): Promise<void> {
  while (performance.now() < scene.untilMs) {
    const path = `/api/v1/events?queue_id=${encodeURIComponent(listener.queueId)}&last_event_id=${listener.lastEventId}`;
    const startMs = performance.now();
    const reply = await listener.connection.request(
      formatRequest("GET", path, listener.authorization),
      true,
    );
    readArrivals(listener, { atMs: 0, reply });
    note(scene, "wait", startMs);
  }
}

/**
 * Length of a scene, number of clients that wait in it for events, and rest of its actors between
 * two requests.
 */
interface Course {
  durationMs: number;
  waiting: number;
  pauseMs: number;
}

/** Lets people act for a time while other clients wait for events. */
export async function runScene(
  target: LoadTarget,
  people: Actor[],
  course: Course,
): Promise<Scene> {
  const { durationMs, waiting, pauseMs } = course;
  const untilMs = performance.now() + durationMs;
  const scene: Scene = { target, untilMs, pauseMs, recent: [], latenciesMs: new Map() };
  const [first] = people;
  if (first) await send(first, scene);
  const listeners = await openListeners(target, waiting);
  const waiters = Promise.all(listeners.map((listener) => wait(listener, scene)));
  await Promise.all(people.map((actor) => act(actor, scene)));
  // Clients that still wait get one more message.
  if (first) await send(first, scene);
  await waiters;
  for (const { connection } of listeners) connection.close();
  return scene;
}

/** People with a connection and a queue each. */
export async function openActors(target: LoadTarget, count: number): Promise<Actor[]> {
  const connections = await openConnections(target.port, count);
  const people: Actor[] = [];
  for (const [index, connection] of connections.entries()) {
    const authorization = authorizationOf(target, index);
    people.push({
      connection,
      authorization,
      index,
      listener: await registerListener(connection, authorization),
    });
  }
  const [first] = connections;
  if (first) channelId = await findChannel(first, target);
  return people;
}

/**
 * Requests of a busy organization in a second: all requests, and how long those take that do not
 * wait for events.
 */
export const mixed: Scenario = {
  prefix: "mixed",
  // A turn opens connections and queues of its own.
  turnMs: 1_000,
  async prepare(target) {
    const people = await openActors(target, actors);
    await runScene(target, people, { durationMs: warmUpMs, waiting, pauseMs: 0 });
    return async (durationMs) => {
      const { latenciesMs } = await runScene(target, people, { durationMs, waiting, pauseMs: 0 });
      const count = [...latenciesMs.values()].reduce((sum, { length }) => sum + length, 0);
      const answered = [...latenciesMs].flatMap(([deed, times]) => (deed === "wait" ? [] : times));
      return { count, latenciesMs: answered, more: { Send: latenciesMs.get("send") ?? [] } };
    };
  },
};
