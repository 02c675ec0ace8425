import { unreadMessages, unreadPeople } from "./attack-unread";
import type { Figures } from "./load-target";
import type { Repeat } from "./report";
import { type Program, runLoad, type Seed, startServer } from "./servers";

/** Way to start the servers; `makeDatabase` gives the address of a new database, or nothing. */
export interface NeighboursRun {
  /** The program with the rate limits that it has by default. */
  limited: Program;
  scratch: string;
  seconds: number;
  repeats: number;
  /** The attacks to measure. */
  beside: readonly string[];
  makeDatabase: () => Promise<{ address: string; drop: () => Promise<void> } | undefined>;
}

const limitMs = 90_000;
const seeds: Readonly<Record<string, Seed>> = {
  longAway: { users: 64, messages: unreadMessages, keys: 0, unreadPeople },
};

/**
 * Waits of ordinary people while somebody attacks the server: as `floor` the figures without the
 * attack, as `subject` those beside it. One attack cannot keep the others from being measured.
 */
export async function measureAllNeighbours(run: NeighboursRun): Promise<Repeat[]> {
  const repeats: Repeat[] = [];
  const failed: string[] = [];
  for (let repeat = 0; repeat < run.repeats; repeat++) {
    for (const name of run.beside) {
      console.error(`  beside ${name}`);
      try {
        repeats.push(await measureBeside(run, name));
      } catch (error) {
        failed.push(name);
        const why = error instanceof Error ? error.message : String(error);
        console.error(`  ${name} failed: ${why}`);
      }
    }
  }
  if (repeats.length === 0)
    throw new Error(`nothing could be measured beside ${[...new Set(failed)].join(", ")}`);
  return repeats;
}

async function measureBeside(run: NeighboursRun, name: string): Promise<Repeat> {
  const database = await run.makeDatabase();
  try {
    const server = await startServer(
      run.limited,
      run.scratch,
      database?.address ?? "",
      seeds[name],
    );
    const figures = await runLoad(server, `beside-${name}`, run.seconds, limitMs).finally(() =>
      server.stop(),
    );
    return asRepeat(name, figures);
  } finally {
    await database?.drop();
  }
}

function asRepeat(
  name: string,
  { withoutP50Ms, withoutP99Ms, besideP50Ms, besideP99Ms, burntP99Ms, ...others }: Figures,
): Repeat {
  const more = Object.entries(others).map(([figure, value]) => [
    `${name}${capitalized(figure)}`,
    value,
  ]);
  return {
    floor: {
      [`${name}P50Ms`]: withoutP50Ms ?? Number.NaN,
      [`${name}P99Ms`]: withoutP99Ms ?? Number.NaN,
      [`${name}BurntP99Ms`]: withoutP99Ms ?? Number.NaN,
    },
    subject: {
      [`${name}P50Ms`]: besideP50Ms ?? Number.NaN,
      [`${name}P99Ms`]: besideP99Ms ?? Number.NaN,
      [`${name}BurntP99Ms`]: burntP99Ms ?? Number.NaN,
      ...Object.fromEntries(more),
    },
  };
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
