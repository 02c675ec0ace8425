import { formatRequest, openConnections } from "./http-client";
import { type Listener, pollForMessages, registerListener } from "./listener";
import { openListeners } from "./load-delivery";
import { repeatFor } from "./load-reads";
import { sendFor } from "./load-sends";
import { authorizationOf, type Figures, type LoadTarget } from "./load-target";
import { cpuMs } from "./process-usage";
import { quantile } from "./statistics";

/**
 * Number of clients that wait for events while messages are sent: the first users, who are in every
 * channel of the bench.
 */
const connectedCount = 10;
const warmUpMs = 400;
const nothingWanted = `event_types=${encodeURIComponent("[]")}&fetch_event_types=${encodeURIComponent("[]")}`;

/**
 * Measures what `run` does for a time: the median latency of one and the server's CPU time for it.
 */
async function measureCost(
  target: LoadTarget,
  run: (durationMs: number) => Promise<readonly number[]>,
): Promise<Figures> {
  await run(warmUpMs);
  const startCpuMs = cpuMs(target.pid);
  const latenciesMs = await run(target.seconds * 1000);
  return {
    Ms: quantile(latenciesMs, 0.5),
    CpuUs: ((cpuMs(target.pid) - startCpuMs) * 1000) / latenciesMs.length,
  };
}

async function keepPolling(listener: Listener): Promise<never> {
  for (;;) await pollForMessages(listener);
}

/** Sends of one sender into the target's channel, with ten of its members connected. */
export async function measureGrowthSend(target: LoadTarget): Promise<Figures> {
  const listeners = await openListeners(target, connectedCount);
  const broken = Promise.race(listeners.map(keepPolling));
  const cost = measureCost(target, (durationMs) => sendFor(target, 1, durationMs));
  return Promise.race([cost, broken]);
}

/** GETs of the newest 100 messages of a topic. */
export async function measureGrowthFetch(target: LoadTarget): Promise<Figures> {
  const narrow = [
    { operator: "channel", operand: target.channel },
    { operator: "topic", operand: "topic1" },
  ];
  const query = `anchor=newest&num_before=100&num_after=0&narrow=${encodeURIComponent(JSON.stringify(narrow))}`;
  return measureCost(target, async (durationMs) => {
    const format = (authorization: string) =>
      formatRequest("GET", `/api/v1/messages?${query}`, authorization);
    return (await repeatFor(target, format, durationMs, 1)).latenciesMs;
  });
}

/** Registers of the whole state by somebody who has read everything. */
export async function measureGrowthRegister(target: LoadTarget): Promise<Figures> {
  return measureCost(target, async (durationMs) => {
    const format = (authorization: string) =>
      formatRequest("POST", "/api/v1/register", authorization, "apply_markdown=true");
    return (await repeatFor(target, format, durationMs, 1)).latenciesMs;
  });
}

/** Polls that find nothing and do not wait. */
export async function measureGrowthPoll(target: LoadTarget): Promise<Figures> {
  const [connection] = await openConnections(target.port, 1);
  if (!connection) throw new Error("no connection");
  const authorization = authorizationOf(target, 0);
  const { queueId, lastEventId } = await registerListener(connection, authorization, nothingWanted);
  const path = `/api/v1/events?queue_id=${queueId}&last_event_id=${lastEventId}&dont_block=true`;
  return measureCost(target, async (durationMs) => {
    const format = () => formatRequest("GET", path, authorization);
    return (await repeatFor(target, format, durationMs, 1)).latenciesMs;
  });
}
