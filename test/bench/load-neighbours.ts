import type { Damage, Scene } from "./attack";
import { measureFromElsewhere } from "./elsewhere";
import { type Connection, formatRequest, openConnection } from "./http-client";
import { type Listener, readArrivals, registerListener } from "./listener";
import { formatMessageForm, readSentId } from "./load-sends";
import { authorizationOf, type Figures, type LoadTarget } from "./load-target";
import { peakMiB } from "./process-usage";
import { quantile } from "./statistics";

/** Ordinary people, who each ask this often in a second, well within the limits. */
const people = 32;
const asksPerSecond = 8;
/** Messages that are there to be read before anybody is measured. */
const storedMessages = 100;
const warmUpMs = 4_000;
/** With and without the attack in turns: what else the machine does meets both alike. */
const rounds = 3;
/**
 * The attack begins with a strike or two before it is measured: the first requests of a kind load
 * and compile their code, once in the life of a server. It uses up little of the attacker's limit.
 */
const firstStrikesMs = 300;
/** Time for which a slice waits for requests that are still under way at its end. */
const lateMs = 10_000;
/** Rest between two looks at whether the index is complete. */
const indexLookMs = 500;

const newest = "anchor=newest&num_before=50&num_after=0";
const deeds = ["send", "poll", "read", "poll"] as const;

interface Neighbour {
  listener: Listener;
  index: number;
}

interface Attacker {
  attack: () => void;
  /** Takes as much of the CPU as the last attack did, and asks for nothing. */
  burn: () => void;
  rest: () => Promise<Damage>;
  end: () => void;
}

async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of output) {
    const [...lines] = (rest + Buffer.from(chunk).toString()).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Starts the process of an attacker and has it prepare its attack. */
async function startAttacker(name: string, { port, users }: LoadTarget): Promise<Attacker> {
  const command = [process.execPath, `${import.meta.dir}/attacker.ts`];
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const lines = linesOf(child.stdout);
  const say = (line: string) => {
    child.stdin.write(`${line}\n`);
    void child.stdin.flush();
  };
  const hear = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the attacker of ${name} ended`);
    return value;
  };
  const [owner] = users;
  if (!owner) throw new Error("the credentials file has no users");
  const scene: Scene = { port, owner, others: users.slice(people) };
  say(JSON.stringify({ name, scene }));
  await hear();
  return {
    attack: () => say("attack"),
    burn: () => say("burn"),
    async rest() {
      say("rest");
      return JSON.parse(await hear()) as Damage;
    },
    end: () => child.kill(),
  };
}

function formatDeed(target: LoadTarget, { listener, index }: Neighbour, turn: number): string {
  const { authorization, queueId, lastEventId } = listener;
  const deed = deeds[turn % deeds.length];
  if (deed === "send") {
    const form = formatMessageForm(target.channel, `topic${index % 4}`, `neighbour${index}`);
    return formatRequest("POST", "/api/v1/messages", authorization, form);
  }
  if (deed === "read") {
    const narrow = encodeURIComponent(
      `[["channel","${target.channel}"],["topic","topic${turn % 4}"]]`,
    );
    return formatRequest("GET", `/api/v1/messages?${newest}&narrow=${narrow}`, authorization);
  }
  const place = `queue_id=${encodeURIComponent(queueId)}&last_event_id=${lastEventId}`;
  return formatRequest("GET", `/api/v1/events?${place}&dont_block=true`, authorization);
}

async function act(
  connection: Connection,
  target: LoadTarget,
  neighbour: Neighbour,
  turn: number,
): Promise<void> {
  const reply = await connection.request(formatDeed(target, neighbour, turn), true);
  const deed = deeds[turn % deeds.length];
  if (deed === "poll") readArrivals(neighbour.listener, { atMs: 0, reply });
  else if (deed === "send") readSentId(reply.status, reply.body);
  else if (reply.status !== 200) throw new Error(`a read was refused with ${reply.status}`);
}

/**
 * One neighbour for a time. Each request has its moment, and its latency counts from there: while
 * the server answers nobody, the requests that would have been made then are late, too.
 */
async function live(
  target: LoadTarget,
  neighbour: Neighbour,
  durationMs: number,
  latenciesMs: number[],
) {
  const startMs = performance.now() + (neighbour.index * 1000) / asksPerSecond / people;
  const count = Math.floor((durationMs * asksPerSecond) / 1000);
  const lastMs = startMs + durationMs + lateMs;
  for (let turn = 0; turn < count; turn++) {
    const dueMs = startMs + (turn * 1000) / asksPerSecond;
    const restMs = dueMs - performance.now();
    if (restMs > 0) await Bun.sleep(restMs);
    if (performance.now() < lastMs)
      await act(neighbour.listener.connection, target, neighbour, turn + neighbour.index);
    latenciesMs.push(performance.now() - dueMs);
  }
}

async function liveTogether(
  target: LoadTarget,
  all: readonly Neighbour[],
  durationMs: number,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  await Promise.all(all.map((neighbour) => live(target, neighbour, durationMs, latenciesMs)));
  return latenciesMs;
}

/** Waits until the messages that were there before are indexed: that is no neighbour's work. */
async function waitForIndex(target: LoadTarget): Promise<void> {
  const connection = await openConnection(target.port);
  const narrow = encodeURIComponent('[["search","unfindable"]]');
  const path = `/api/v1/messages?anchor=newest&num_before=1&num_after=0&narrow=${narrow}`;
  const request = formatRequest("GET", path, authorizationOf(target, 0));
  while ((await connection.request(request, true)).body.includes("search_incomplete"))
    await Bun.sleep(indexLookMs);
  connection.close();
}

async function settle(target: LoadTarget): Promise<Neighbour[]> {
  await waitForIndex(target);
  const all: Neighbour[] = [];
  for (let index = 0; index < people; index++) {
    const connection = await openConnection(target.port);
    all.push({
      index,
      listener: await registerListener(connection, authorizationOf(target, index)),
    });
  }
  for (let index = 0; index < storedMessages; index++) {
    const neighbour = all[index % people];
    if (neighbour) await act(neighbour.listener.connection, target, neighbour, 0);
  }
  return all;
}

/**
 * Times of ordinary requests without and with an attack beside them, and beside a process that
 * takes as much CPU as the attacker's; and the most memory that the server took.
 */
export async function measureNeighbours(target: LoadTarget, name: string): Promise<Figures> {
  measureFromElsewhere();
  const all = await settle(target);
  const attacker = await startAttacker(name, target);
  await liveTogether(target, all, warmUpMs);
  const [without, beside, burnt]: [number[], number[], number[]] = [[], [], []];
  const total: Damage = { answered: 0, refused: 0, bytes: 0, cpuMs: 0 };
  const sliceMs = (target.seconds * 1000) / 2;
  attacker.attack();
  const first = await liveTogether(target, all, firstStrikesMs);
  await attacker.rest();
  for (let round = 0; round < rounds; round++) {
    without.push(...(await liveTogether(target, all, sliceMs)));
    attacker.attack();
    beside.push(...(await liveTogether(target, all, sliceMs)));
    const damage = await attacker.rest();
    total.answered += damage.answered;
    total.refused += damage.refused;
    total.bytes += damage.bytes;
    total.cpuMs += damage.cpuMs;
    attacker.burn();
    burnt.push(...(await liveTogether(target, all, sliceMs)));
    await attacker.rest();
  }
  attacker.end();
  for (const { listener } of all) listener.connection.close();
  if (total.answered + total.refused === 0) throw new Error(`the attack ${name} asked for nothing`);
  return {
    withoutP50Ms: quantile(without, 0.5),
    besideP50Ms: quantile(beside, 0.5),
    withoutP99Ms: quantile(without, 0.99),
    besideP99Ms: quantile(beside, 0.99),
    burntP99Ms: quantile(burnt, 0.99),
    besideMaxMs: quantile(beside, 1),
    firstMaxMs: quantile(first, 1),
    peakMiB: peakMiB(target.pid),
    attackAnswered: total.answered,
    attackRefused: total.refused,
    attackMB: total.bytes / 1_000_000,
    attackCpuShare: total.cpuMs / (rounds * sliceMs),
  };
}
