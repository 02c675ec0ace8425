import { formatRequest, openConnection } from "./http-client";
import { authorizationOf, type LoadTarget } from "./load-target";
import { topicCount } from "./seeding";
import type { Scenario } from "./work";

type Progress = { untilMs: number; latenciesMs: number[] };

const warmUpMs = 1000;

/**
 * The form of a message to a channel: a short sentence with a little Markdown, every one different.
 */
export function formatMessageForm(channel: string, topic: string, marker: string): string {
  return `type=stream&to=${channel}&topic=${topic}&content=${marker}+the+build+is+**green**+again%2C+thank+you+all+for+the+help`;
}

/** The id in the answer to a send; refuses anything but success. */
export function readSentId(status: number, body: string): number {
  const id = Number(/"id":(\d+)/.exec(body)?.[1] ?? 0);
  if (status !== 200 || id <= 0)
    throw new Error(`a send was refused with ${status}: ${body.slice(0, 300)}`);
  return id;
}

/** One sender: the next message leaves when the one before is answered. Ids must grow. */
async function keepSending(target: LoadTarget, index: number, progress: Progress): Promise<void> {
  const connection = await openConnection(target.port);
  const authorization = authorizationOf(target, index);
  let lastId = 0;
  for (let count = 0; performance.now() < progress.untilMs; count++) {
    const form = formatMessageForm(
      target.channel,
      `topic${index % topicCount}`,
      `sender${index}+message${count}`,
    );
    const startMs = performance.now();
    const reply = await connection.request(
      formatRequest("POST", "/api/v1/messages", authorization, form),
      true,
    );
    progress.latenciesMs.push(performance.now() - startMs);
    const id = readSentId(reply.status, reply.body);
    if (id <= lastId) throw new Error(`message ids went from ${lastId} to ${id}`);
    lastId = id;
  }
  connection.close();
}

/** Runs the senders for a time; returns the latencies of all their sends. */
export async function sendFor(
  target: LoadTarget,
  senderCount: number,
  durationMs: number,
): Promise<number[]> {
  const progress: Progress = { untilMs: performance.now() + durationMs, latenciesMs: [] };
  await Promise.all(
    Array.from({ length: senderCount }, (_, index) => keepSending(target, index, progress)),
  );
  return progress.latenciesMs;
}

/** Sends per second with a number of concurrent senders. */
export const sends = (senderCount: number): Scenario => ({
  prefix: `send${senderCount}`,
  turnMs: 250,
  async prepare(target) {
    await sendFor(target, senderCount, warmUpMs);
    return async (durationMs) => {
      const latenciesMs = await sendFor(target, senderCount, durationMs);
      return { count: latenciesMs.length, latenciesMs };
    };
  },
});
