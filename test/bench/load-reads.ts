import { formatRequest, openConnections } from "./http-client";
import { formatMessageForm, readSentId } from "./load-sends";
import { authorizationOf, type Figures, type LoadTarget } from "./load-target";
import { cpuMs } from "./process-usage";
import { topicCount } from "./seeding";
import { median, quantile } from "./statistics";

type Repeated = {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  answerBytes: number;
  latenciesMs: number[];
};

const clientCount = 4;
const warmUpMs = 500;
const storedMessages = 200;
const newestMessages =
  "/api/v1/messages?anchor=newest&num_before=100&num_after=0&apply_markdown=true";
const generalNarrow = encodeURIComponent('[{"operator":"channel","operand":"general"}]');

/**
 * Repeats one request on some connections for a time, as one user after the other; every answer
 * must be a 200.
 */
export async function repeatFor(
  target: LoadTarget,
  format: (authorization: string) => string,
  durationMs: number,
  connectionCount = clientCount,
): Promise<Repeated> {
  const connections = await openConnections(target.port, connectionCount);
  const requests = target.users.map(({ authorization }) => format(authorization));
  const latenciesMs: number[] = [];
  const sizesBytes: number[] = [];
  const startMs = performance.now();
  await Promise.all(
    connections.map(async (connection, index) => {
      for (let turn = index; performance.now() < startMs + durationMs; turn += connections.length) {
        const request = requests[turn % requests.length] ?? "";
        const sentMs = performance.now();
        const reply = await connection.request(request, false);
        if (reply.status !== 200)
          throw new Error(`a request was refused with ${reply.status}: ${request.slice(0, 80)}`);
        latenciesMs.push(performance.now() - sentMs);
        sizesBytes.push(reply.bodyBytes);
      }
      connection.close();
    }),
  );
  const perSecond = (latenciesMs.length / (performance.now() - startMs)) * 1000;
  return {
    perSecond,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    answerBytes: median(sizesBytes),
    latenciesMs,
  };
}

/**
 * Registrations per second with the whole state of the organization in each answer; the names of
 * the figures begin with `prefix`.
 */
export async function measureRegister(target: LoadTarget, prefix = "register"): Promise<Figures> {
  const format = (authorization: string) =>
    formatRequest("POST", "/api/v1/register", authorization, "apply_markdown=true");
  await repeatFor(target, format, warmUpMs);
  const cpuBefore = cpuMs(target.pid);
  const result = await repeatFor(target, format, target.seconds * 1000);
  const cpu = cpuMs(target.pid) - cpuBefore;
  return {
    [`${prefix}PerSecond`]: result.perSecond,
    [`${prefix}P50Ms`]: result.p50Ms,
    [`${prefix}P99Ms`]: result.p99Ms,
    [`${prefix}AnswerKB`]: result.answerBytes / 1000,
    [`${prefix}CpuUs`]: (cpu * 1000) / result.latenciesMs.length,
  };
}

/** GETs per second of the newest 100 messages of a channel. */
export async function measureReads(target: LoadTarget): Promise<Figures> {
  const [connection] = await openConnections(target.port, 1);
  for (let index = 0; index < storedMessages; index++) {
    const form = formatMessageForm(target.channel, `topic${index % topicCount}`, `stored${index}`);
    const reply = await connection?.request(
      formatRequest("POST", "/api/v1/messages", authorizationOf(target, index), form),
      true,
    );
    readSentId(reply?.status ?? 0, reply?.body ?? "");
  }
  const format = (authorization: string) =>
    formatRequest("GET", `${newestMessages}&narrow=${generalNarrow}`, authorization);
  await repeatFor(target, format, warmUpMs);
  const cpuBefore = cpuMs(target.pid);
  const result = await repeatFor(target, format, target.seconds * 1000);
  const cpu = cpuMs(target.pid) - cpuBefore;
  return {
    get100PerSecond: result.perSecond,
    get100P50Ms: result.p50Ms,
    get100P99Ms: result.p99Ms,
    get100AnswerKB: result.answerBytes / 1000,
    get100CpuUs: (cpu * 1000) / result.latenciesMs.length,
  };
}
