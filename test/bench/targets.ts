import { attacks } from "./attacks";
import { comparedCounts, unreadTold } from "./seeding";

export type Engine = "sqlite" | "postgres";

/** Goal of a figure: a share of the floor's figure of that run, or a value of its own. */
export type Target = { ratio: number } | { value: number };

/**
 * A line of the table: the figure's name in the results, its words, and what chatd must reach on
 * each engine. Figures are compared with the floor's; in tables of their own chatd is compared with
 * itself, with little data or without an attack.
 */
export type Line = {
  compared?: "growth" | "neighbours";
  figure: string;
  label: string;
  better: "higher" | "lower";
  targets: Partial<Record<Engine, Target>>;
};

/**
 * The figures of the table and their targets; every other figure measured goes to the history only.
 */
export const lines: Line[] = [
  {
    figure: "send1PerSecond",
    label: "sends/s, 1 sender",
    better: "higher",
    targets: { sqlite: { ratio: 0.35 } },
  },
  {
    figure: "send16PerSecond",
    label: "sends/s, 16 senders",
    better: "higher",
    targets: { sqlite: { ratio: 0.2 }, postgres: { value: 800 } },
  },
  {
    figure: "send64PerSecond",
    label: "sends/s, 64 senders",
    better: "higher",
    targets: { sqlite: { ratio: 0.12 } },
  },
  { figure: "send16P99Ms", label: "send p99, 16 senders, ms", better: "lower", targets: {} },
  {
    figure: "send16CpuUs",
    label: "server CPU a send, 16 senders, µs",
    better: "lower",
    targets: {},
  },
  {
    figure: "deliverP50Ms",
    label: "send → receive p50, 50 × 50/s, ms",
    better: "lower",
    targets: {},
  },
  {
    figure: "deliverP99Ms",
    label: "send → receive p99, 50 × 50/s, ms",
    better: "lower",
    targets: { sqlite: { ratio: 3 }, postgres: { value: 40 } },
  },
  {
    figure: "fanOut1000P50Ms",
    label: "one message to 1,000 held polls, ms",
    better: "lower",
    targets: { sqlite: { ratio: 3 } },
  },
  {
    figure: "crowd1000P50Ms",
    label: "the same to 1,000 of 10,000 members, ms",
    better: "lower",
    targets: { sqlite: { ratio: 3 } },
  },
  {
    figure: "registerPerSecond",
    label: "register everything, /s",
    better: "higher",
    targets: { sqlite: { value: 500 }, postgres: { value: 200 } },
  },
  { figure: "registerCpuUs", label: "server CPU for it, µs", better: "lower", targets: {} },
  { figure: "registerAnswerKB", label: "its answer, KB", better: "lower", targets: {} },
  {
    figure: "sessionToKey",
    label: "CPU of a request by session ÷ by key",
    better: "lower",
    targets: { sqlite: { value: 1.1 }, postgres: { value: 1.1 } },
  },
  {
    figure: "pageCpuUs",
    label: "server CPU of the page with its state, 100 people and 200 channels, µs",
    better: "lower",
    targets: { sqlite: { value: 10_000 }, postgres: { value: 10_000 } },
  },
  {
    figure: "pageAnswerKB",
    label: "that page, compressed, KB",
    better: "lower",
    targets: { sqlite: { value: 30 }, postgres: { value: 30 } },
  },
  { figure: "registerByKeyCpuUs", label: "its register by key, µs", better: "lower", targets: {} },
  { figure: "registerByKeyAnswerKB", label: "its answer, KB", better: "lower", targets: {} },
  {
    figure: "registerBySessionCpuUs",
    label: "its register by session, compressed, µs",
    better: "lower",
    targets: {},
  },
  { figure: "registerBySessionAnswerKB", label: "its answer, KB", better: "lower", targets: {} },
  {
    figure: "registerLargePerSecond",
    label: "register, 1,000 users and 200 channels, /s",
    better: "higher",
    targets: { sqlite: { value: 500 } },
  },
  { figure: "registerLargeCpuUs", label: "server CPU for it, µs", better: "lower", targets: {} },
  { figure: "registerLargeAnswerKB", label: "its answer, KB", better: "lower", targets: {} },
  {
    figure: "get100PerSecond",
    label: "GET 100 messages, /s",
    better: "higher",
    targets: { sqlite: { value: 3000 } },
  },
  { figure: "get100CpuUs", label: "server CPU for it, µs", better: "lower", targets: {} },
  { figure: "get100AnswerKB", label: "its answer, KB", better: "lower", targets: {} },
  { figure: "editPerSecond", label: "edits/s, 4 editors", better: "higher", targets: {} },
  { figure: "editCpuUs", label: "server CPU an edit, µs", better: "lower", targets: {} },
  {
    figure: "move10000Ms",
    label: "a topic of 10,000 messages renamed, ms",
    better: "lower",
    targets: {},
  },
  {
    figure: "mixedPerSecond",
    label: "mixed load after 10 s of it, requests/s",
    better: "higher",
    targets: { sqlite: { value: 6000 } },
  },
  { figure: "mixedP99Ms", label: "its p99, ms", better: "lower", targets: {} },
  { figure: "mixedCpuUs", label: "server CPU a request of it, µs", better: "lower", targets: {} },
  {
    figure: "search100PerSecond",
    label: "search, 100 hits, after 2 s of it, /s",
    better: "higher",
    targets: { sqlite: { value: 1500 } },
  },
  {
    figure: "narrowsP99Ms",
    label: "searches and narrows at 1,000,000 messages, p99, ms",
    better: "lower",
    targets: { sqlite: { value: 50 } },
  },
  {
    figure: "slowestNarrowP50Ms",
    label: "the slowest of them, p50, ms",
    better: "lower",
    targets: {},
  },
  {
    figure: "idleMiB",
    label: "memory idle, MiB",
    better: "lower",
    targets: { sqlite: { value: 90 }, postgres: { value: 90 } },
  },
  {
    figure: "heldPollKiB",
    label: "memory per held poll, KiB",
    better: "lower",
    targets: { sqlite: { value: 10 }, postgres: { value: 10 } },
  },
  {
    figure: "queueAndHeldPollKiB",
    label: "memory per queue and its held poll, KiB",
    better: "lower",
    targets: {},
  },
  {
    figure: "startMs",
    label: "start to listening, ms",
    better: "lower",
    targets: { sqlite: { value: 80 } },
  },
  {
    figure: "steadyPerSecond",
    label: "steady load of 60 clients, requests/s",
    better: "higher",
    targets: {},
  },
  { figure: "steadyLastMiB", label: "  memory at its end, MiB", better: "lower", targets: {} },
  {
    figure: "steadySlopeMiBPerHour",
    label: "  its slope, MiB an hour",
    better: "lower",
    targets: {},
  },
  {
    figure: "steadySlopeUpperMiBPerHour",
    label: "  upper end of its 95 % interval",
    better: "lower",
    targets: both({ value: 8 }),
  },
  { figure: "steadyHeapMiB", label: "  the heap at its end, MiB", better: "lower", targets: {} },
  {
    figure: "steadyHeapGrowthMiB",
    label: "  more than after a third, MiB",
    better: "lower",
    targets: both({ value: 1 }),
  },
  ...growth("membersSend", "a send: 10 → 10,000 members, 10 connected", 1.5),
  ...growth("usersSend", "a send: 100 → 10,000 users", 1.2),
  ...growth("usersPoll", "a poll: 100 → 10,000 users", 1.2),
  ...growth("messagesSend", "a send: 1,000 → 1,000,000 messages", 1.2),
  ...growth("messagesFetch", "GET newest 100 of a topic: 1,000 → 1,000,000", 1.2),
  ...growth("messagesPoll", "a poll: 1,000 → 1,000,000 messages", 1.2),
  ...growth("messagesRegister", "register: 1,000 → 1,000,000 messages, all read", 1.2),
  {
    figure: "messagesMemoryMiB",
    label: "memory after that: 1,000 → 1,000,000 messages, MiB",
    better: "lower",
    compared: "growth",
    targets: {},
  },
  ...unread("unreadFirst", "GET around first_unread"),
  ...unread("unreadFirstOfTopic", "GET around first_unread of a topic"),
  ...unread("unreadNarrow", "GET newest 100 of is:unread"),
  ...unread("unreadPage", "GET newest 100 of a channel"),
  ...unread("unreadRegister", "register without messages"),
  ...unread("unreadMark", "100 messages marked as read or unread"),
  ...[unreadTold, ...comparedCounts].flatMap(unreadIds),
  ...Object.entries(attacks).flatMap(([name, { label }]) => neighbours(name, label)),
];

/** The server's CPU time for something, which must not grow with what one has not read. */
function unread(prefix: string, label: string): Line[] {
  const targets = both({ ratio: 1.2 });
  return comparedCounts.map((count, index) => {
    const counts = `1,000 → ${count.toLocaleString("en")} unread`;
    const words = index === 0 ? `${label}: ${counts}, µs of CPU` : `  ${counts}`;
    return {
      figure: `${prefix}At${count}CpuUs`,
      label: words,
      better: "lower",
      compared: "growth",
      targets,
    };
  });
}

/** A register that tells of unread messages by id: what each id costs, and the whole. */
function unreadIds(count: number): Line[] {
  const targets = both({ ratio: 1.2 });
  const words = `1,000 → ${count.toLocaleString("en")} unread`;
  const [perId, all] = [`unreadIdsAt${count}CpuUsPerId`, `unreadIdsAt${count}CpuMs`];
  return [
    {
      figure: perId,
      label: `register, an id: ${words}, µs of CPU`,
      better: "lower",
      compared: "growth",
      targets,
    },
    {
      figure: all,
      label: "  all of it, ms of CPU",
      better: "lower",
      compared: "growth",
      targets: both({ value: 25 }),
    },
  ];
}

/** Times of ordinary requests beside an attack, and the most memory that the server takes. */
function neighbours(prefix: string, label: string): Line[] {
  const compared = "neighbours";
  return [
    {
      figure: `${prefix}P99Ms`,
      label: `${label}: p99, ms`,
      better: "lower",
      compared,
      targets: both({ ratio: 2 }),
    },
    {
      figure: `${prefix}BurntP99Ms`,
      label: "  beside a process that takes as much CPU as the attacker's: p99, ms",
      better: "lower",
      compared,
      targets: {},
    },
    {
      figure: `${prefix}FirstMaxMs`,
      label: "  the longest wait at the attack's very first requests, ms",
      better: "lower",
      compared,
      targets: {},
    },
    {
      figure: `${prefix}PeakMiB`,
      label: "  the server's memory at most, MiB",
      better: "lower",
      compared,
      targets: both({ value: 512 }),
    },
  ];
}

function both(target: Target): Line["targets"] {
  return { sqlite: target, postgres: target };
}

/**
 * The time that something takes, which must not grow beyond a ratio, and the server's CPU time for
 * it.
 */
function growth(prefix: string, label: string, ratio: number): Line[] {
  const targets = { sqlite: { ratio }, postgres: { ratio } };
  return [
    { figure: `${prefix}Ms`, label: `${label}, ms`, better: "lower", compared: "growth", targets },
    {
      figure: `${prefix}CpuUs`,
      label: "  the server's CPU, µs",
      better: "lower",
      compared: "growth",
      targets: {},
    },
  ];
}

/** Whether a target is met; undefined where there is none. */
export function isMet(
  line: Line,
  engine: Engine,
  floor: number,
  subject: number,
): boolean | undefined {
  const target = line.targets[engine];
  if (target === undefined) return undefined;
  const reached = "ratio" in target ? subject / floor : subject;
  const wanted = "ratio" in target ? target.ratio : target.value;
  return line.better === "higher" ? reached >= wanted : reached <= wanted;
}

/** A target in the table's words: `≥ 0.35 × floor`, `≤ 90`. */
export function formatTarget(line: Line, engine: Engine): string {
  const target = line.targets[engine];
  if (target === undefined) return "";
  const sign = line.better === "higher" ? "≥" : "≤";
  if ("value" in target) return `${sign} ${target.value}`;
  return line.compared ? `${sign} ${target.ratio} ×` : `${sign} ${target.ratio} × floor`;
}
