import { type Connection, formatRequest, openConnections } from "./http-client";
import { formatMessageForm, readSentId } from "./load-sends";
import { authorizationOf, type Figures, type LoadTarget } from "./load-target";
import { cpuMs } from "./process-usage";
import { median, quantile } from "./statistics";

const editors = 4;
const warmUpMs = 500;
const moves = 6;
const home = "topic1";

async function ask(connection: Connection, request: string): Promise<string> {
  const reply = await connection.request(request, true);
  if (reply.status !== 200)
    throw new Error(`a request was refused with ${reply.status}: ${reply.body.slice(0, 300)}`);
  return reply.body;
}

const patch = (id: number, authorization: string, form: string) =>
  formatRequest("PATCH", `/api/v1/messages/${id}`, authorization, form);

/** People who each send a message and then change it again and again; answers the latencies. */
async function editFor(target: LoadTarget, durationMs: number): Promise<number[]> {
  const connections = await openConnections(target.port, editors);
  const latenciesMs: number[] = [];
  await Promise.all(
    connections.map(async (connection, index) => {
      const authorization = authorizationOf(target, index);
      const form = formatMessageForm(target.channel, "edits", `editor${index}`);
      const sent = formatRequest("POST", "/api/v1/messages", authorization, form);
      const id = readSentId(200, await ask(connection, sent));
      const untilMs = performance.now() + durationMs;
      for (let turn = 0; performance.now() < untilMs; turn++) {
        const startMs = performance.now();
        await ask(
          connection,
          patch(id, authorization, `content=edit+${turn}+the+build+is+**green**+once+more`),
        );
        latenciesMs.push(performance.now() - startMs);
      }
      connection.close();
    }),
  );
  return latenciesMs;
}

/** Edits of one's own message per second, with their history. */
export async function measureEdits(target: LoadTarget): Promise<Figures> {
  await editFor(target, warmUpMs);
  const startCpuMs = cpuMs(target.pid);
  const startMs = performance.now();
  const latenciesMs = await editFor(target, target.seconds * 1000);
  return {
    editPerSecond: (latenciesMs.length / (performance.now() - startMs)) * 1000,
    editP50Ms: quantile(latenciesMs, 0.5),
    editP99Ms: quantile(latenciesMs, 0.99),
    editCpuUs: ((cpuMs(target.pid) - startCpuMs) * 1000) / latenciesMs.length,
  };
}

/** The oldest message of a topic of the target's channel. */
async function findOldest(
  connection: Connection,
  target: LoadTarget,
  topic: string,
): Promise<number> {
  const narrow = [
    { operator: "channel", operand: target.channel },
    { operator: "topic", operand: topic },
  ];
  const query = `anchor=oldest&num_before=0&num_after=1&narrow=${encodeURIComponent(JSON.stringify(narrow))}`;
  const body = await ask(
    connection,
    formatRequest("GET", `/api/v1/messages?${query}`, authorizationOf(target, 0)),
  );
  return readSentId(200, body.slice(body.indexOf('"messages"')));
}

/** A topic of 10,000 messages gets another name, by the owner, and in the end its own again. */
export async function measureMoves(target: LoadTarget): Promise<Figures> {
  const [connection] = await openConnections(target.port, 1);
  if (!connection) throw new Error("no connection");
  const id = await findOldest(connection, target, home);
  const notices = "send_notification_to_old_thread=false&send_notification_to_new_thread=false";
  const latenciesMs: number[] = [];
  let startCpuMs = cpuMs(target.pid);
  for (let turn = -1; turn < moves; turn++) {
    if (turn === 0) startCpuMs = cpuMs(target.pid);
    const topic = turn === moves - 1 ? home : `moved${turn + 1}`;
    const form = `topic=${topic}&propagate_mode=change_all&${notices}`;
    const startMs = performance.now();
    await ask(connection, patch(id, authorizationOf(target, 0), form));
    if (turn >= 0) latenciesMs.push(performance.now() - startMs);
  }
  return {
    move10000Ms: median(latenciesMs),
    move10000CpuMs: (cpuMs(target.pid) - startCpuMs) / moves,
  };
}
