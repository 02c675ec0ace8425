import { formatRequest, openConnections } from "./http-client";
import { formatMessageForm, readSentId } from "./load-sends";
import { authorizationOf, type LoadTarget } from "./load-target";
import { topicCount } from "./seeding";
import type { Run, Scenario, Work } from "./work";

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
): Promise<Required<Omit<Run, "more">>> {
  const connections = await openConnections(target.port, connectionCount);
  const requests = target.users.map(({ authorization }) => format(authorization));
  const latenciesMs: number[] = [];
  const sizesBytes: number[] = [];
  const untilMs = performance.now() + durationMs;
  await Promise.all(
    connections.map(async (connection, index) => {
      for (let turn = index; performance.now() < untilMs; turn += connections.length) {
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
  return { count: latenciesMs.length, latenciesMs, sizesBytes };
}

/**
 * Registrations per second with the whole state of the organization in each answer; the names of
 * the figures begin with `prefix`.
 */
export const registrations = (prefix = "register"): Scenario => ({
  prefix,
  turnMs: 250,
  prepare: (target) =>
    warmedUp(target, (authorization) =>
      formatRequest("POST", "/api/v1/register", authorization, "apply_markdown=true"),
    ),
});

/** GETs per second of the newest 100 messages of a channel. */
export const reads: Scenario = {
  prefix: "get100",
  turnMs: 250,
  async prepare(target) {
    const [connection] = await openConnections(target.port, 1);
    for (let index = 0; index < storedMessages; index++) {
      const topic = `topic${index % topicCount}`;
      const form = formatMessageForm(target.channel, topic, `stored${index}`);
      const reply = await connection?.request(
        formatRequest("POST", "/api/v1/messages", authorizationOf(target, index), form),
        true,
      );
      readSentId(reply?.status ?? 0, reply?.body ?? "");
    }
    return warmedUp(target, (authorization) =>
      formatRequest("GET", `${newestMessages}&narrow=${generalNarrow}`, authorization),
    );
  },
};

/** Repeats one request, after the server has answered it for a while. */
export async function warmedUp(
  target: LoadTarget,
  format: (authorization: string) => string,
  durationMs = warmUpMs,
): Promise<Work> {
  await repeatFor(target, format, durationMs);
  return (turnMs) => repeatFor(target, format, turnMs);
}
