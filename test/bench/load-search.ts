import { type Connection, formatRequest, openConnection } from "./http-client";
import { warmedUp } from "./load-reads";
import { authorizationOf, type Figures, type LoadTarget } from "./load-target";
import { quantile } from "./statistics";
import type { Scenario } from "./work";

type Term = [operator: string, operand: string];

/** Time in which the words of messages that came from outside the server come into the index. */
const indexedWithinMs = 240_000;
const roundsPerNarrow = 12;
/** Time that the server needs to compile its most used code: what is measured is how it goes on. */
const warmUpMs = 2000;

const inEveryMessage: Term[] = [["search", "green"]];

/** Searches and narrows that people open, in a channel whose messages are much alike. */
const narrows: Term[][] = [
  inEveryMessage,
  [["search", "777"]],
  [["search", '"thank you all"']],
  [["search", "build nothinghere"]],
  [
    ["channel", "general"],
    ["topic", "topic3"],
    ["search", "build"],
  ],
  [["has", "link"]],
  [],
  [["channel", "general"]],
  [["sender", "user1@example.com"]],
  [["is", "dm"]],
  [["is", "resolved"]],
  [["is", "followed"]],
  [["is", "starred"]],
  [["is", "unread"]],
];

function formatSearch(authorization: string, terms: Term[]): string {
  const narrow = JSON.stringify(terms.map(([operator, operand]) => ({ operator, operand })));
  const query = `anchor=newest&num_before=100&num_after=0&narrow=${encodeURIComponent(narrow)}`;
  return formatRequest("GET", `/api/v1/messages?${query}`, authorization);
}

async function timeOne(connection: Connection, request: string): Promise<number> {
  const startMs = performance.now();
  const reply = await connection.request(request, true);
  if (reply.status !== 200)
    throw new Error(`a search was refused with ${reply.status}: ${reply.body.slice(0, 300)}`);
  return performance.now() - startMs;
}

/** A search waits for the index; the server gives up connections that are silent for long. */
async function waitForIndex(target: LoadTarget): Promise<void> {
  const request = formatSearch(authorizationOf(target, 0), inEveryMessage);
  for (const untilMs = performance.now() + indexedWithinMs; ; ) {
    const connection = await openConnection(target.port);
    const answered = await timeOne(connection, request).then(
      () => true,
      (error: unknown) => {
        if (performance.now() > untilMs) throw error;
        return false;
      },
    );
    connection.close();
    if (answered) return;
    await Bun.sleep(1000);
  }
}

/** Searches per second that each find 100 messages and show them with what was found. */
export const searches: Scenario = {
  prefix: "search100",
  turnMs: 250,
  async prepare(target) {
    await waitForIndex(target);
    const format = (authorization: string) => formatSearch(authorization, inEveryMessage);
    return warmedUp(target, format, warmUpMs);
  },
};

/**
 * Times of searches and narrows of every kind, one at a time: of all together, and of the slowest
 * kind.
 */
export async function measureNarrows(target: LoadTarget): Promise<Figures> {
  await waitForIndex(target);
  const connection = await openConnection(target.port);
  const byNarrow = new Map<string, number[]>();
  for (let round = -1; round < roundsPerNarrow; round++) {
    for (const terms of narrows) {
      const tookMs = await timeOne(
        connection,
        formatSearch(authorizationOf(target, round + 1), terms),
      );
      const name = JSON.stringify(terms);
      if (round >= 0) byNarrow.set(name, [...(byNarrow.get(name) ?? []), tookMs]);
    }
  }
  connection.close();
  const slowest = [...byNarrow].toSorted(([, a], [, b]) => quantile(b, 0.5) - quantile(a, 0.5));
  for (const [name, times] of slowest.slice(0, 3))
    console.error(`${name}: p50 ${quantile(times, 0.5).toFixed(1)} ms`);
  const all = [...byNarrow.values()].flat();
  return {
    narrowsP50Ms: quantile(all, 0.5),
    narrowsP99Ms: quantile(all, 0.99),
    slowestNarrowP50Ms: quantile(slowest[0]?.[1] ?? [], 0.5),
  };
}
