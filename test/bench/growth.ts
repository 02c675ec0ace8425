import type { Figures } from "./load-target";
import { measureUnread } from "./load-unread";
import { memoryKiB } from "./process-usage";
import type { Repeat } from "./report";
import {
  comparedCounts,
  crowdChannel,
  messagesChannel,
  smallChannel,
  unreadCounts,
  unreadTold,
} from "./seeding";
import { type Program, runLoad, type Seed, type Server, startServer } from "./servers";

/** One piece of work on little and on much: the figures are named by the prefix. */
type Comparison = {
  prefix: string;
  scenario: string;
  small: Measured;
  large: Measured;
};

/** A server, a channel, and one of its users where not all of them are to ask. */
type Measured = { server: Server; channel: string; user?: number };

/**
 * Way to start the servers that are compared; `makeDatabase` gives the address of a new database,
 * or nothing.
 */
export type GrowthRun = {
  subject: Program;
  scratch: string;
  makeDatabase: () => Promise<{ address: string; drop: () => Promise<void> } | undefined>;
};

const rounds = 5;
/** Of what is measured for many people one after the other. */
const fewerRounds = 3;
const secondsPerRound = 0.8;
const limitMs = 30_000;
const few: Seed = { users: 100, messages: 1_000, keys: 0 };
const manyUsers: Seed = { users: 10_000, messages: 1_000, keys: 0 };
const manyMessages: Seed = { users: 100, messages: 1_000_000, keys: 0 };

async function withServer<T>(
  run: GrowthRun,
  seed: Seed,
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const database = await run.makeDatabase();
  try {
    const server = await startServer(run.subject, run.scratch, database?.address ?? "", seed);
    return await use(server).finally(() => server.stop());
  } finally {
    await database?.drop();
  }
}

const named = (prefix: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}${name}`, value]));

/** Measures little and much in turns, which of them first changing from round to round. */
async function compare(
  { prefix, scenario, small, large }: Comparison,
  count = rounds,
): Promise<Repeat[]> {
  const repeats: Repeat[] = [];
  const load = async ({ server, channel, user }: Measured) =>
    named(prefix, await runLoad(server, scenario, secondsPerRound, limitMs, channel, user));
  for (let round = 0; round < count; round++) {
    const first = await load(round % 2 === 0 ? small : large);
    const second = await load(round % 2 === 0 ? large : small);
    repeats.push(
      round % 2 === 0 ? { floor: first, subject: second } : { floor: second, subject: first },
    );
  }
  return repeats;
}

/** Members of a channel, 10 against 10,000, and users, 100 against 10,000. */
function compareUsers(run: GrowthRun, few: Server): Promise<Repeat[]> {
  return withServer(run, manyUsers, async (many) => {
    const small = { server: few, channel: smallChannel };
    const large = { server: many, channel: smallChannel };
    const crowd = { server: many, channel: crowdChannel };
    return [
      ...(await compare({
        prefix: "membersSend",
        scenario: "growthSend",
        small: large,
        large: crowd,
      })),
      ...(await compare({ prefix: "usersSend", scenario: "growthSend", small, large })),
      ...(await compare({ prefix: "usersPoll", scenario: "growthPoll", small, large })),
    ];
  });
}

/** Messages stored, 1,000 against 1,000,000; with the memory of both servers after the work. */
function compareMessages(run: GrowthRun, few: Server): Promise<Repeat[]> {
  return withServer(run, manyMessages, async (many) => {
    const small = { server: few, channel: messagesChannel };
    const large = { server: many, channel: messagesChannel };
    const repeats = [
      ...(await compare({ prefix: "messagesSend", scenario: "growthSend", small, large })),
      ...(await compare({ prefix: "messagesFetch", scenario: "growthFetch", small, large })),
      ...(await compare({ prefix: "messagesPoll", scenario: "growthPoll", small, large })),
      ...(await compare({ prefix: "messagesRegister", scenario: "growthRegister", small, large })),
    ];
    const memory = (server: Server): Figures => ({
      messagesMemoryMiB: memoryKiB(server.pid) / 1024,
    });
    return [...repeats, { floor: memory(few), subject: memory(many) }];
  });
}

/** Unread messages, 1,000 against more, of people of one organization with a million messages. */
export function measureUnreadGrowth(run: GrowthRun): Promise<Repeat[]> {
  return withServer(run, { ...manyMessages, isUnread: true }, async (server) => {
    const repeats: Repeat[] = [];
    for (const scenario of Object.keys(measureUnread)) {
      for (const count of scenario === "unreadIds"
        ? [unreadTold, ...comparedCounts]
        : comparedCounts) {
        const by = (unread: number) => ({
          server,
          channel: messagesChannel,
          user: unreadCounts.indexOf(unread),
        });
        const [prefix, small, large] = [
          `${scenario}At${count}`,
          by(unreadCounts[0] ?? 0),
          by(count),
        ];
        repeats.push(...(await compare({ prefix, scenario, small, large }, fewerRounds)));
      }
    }
    return repeats;
  });
}

/**
 * Growth of cost with members, users and messages: as `floor` the figures of little, as `subject`
 * those of much.
 */
export function measureGrowth(run: GrowthRun): Promise<Repeat[]> {
  return withServer(run, few, async (server) => [
    ...(await compareUsers(run, server)),
    ...(await compareMessages(run, server)),
  ]);
}
