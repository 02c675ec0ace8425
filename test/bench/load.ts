/**
 * The load generator, a process of its own so that it shares no event loop with what it measures.
 * `bun load.ts --scenario NAME --port N --pid N --credentials FILE --seconds S [--channel NAME]
 * [--user N]` prints the figures as one line of JSON; with a second server, `--beside PORT
 * --beside-pid N --beside-credentials FILE [--warm-up S]`, those of both.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { attacks } from "./attacks";
import { decodeCredentials } from "./credentials";
import { measureEdits, measureMoves } from "./load-changes";
import { measureCrowd, measureDelivery, measureFanOut, measureHeldPolls } from "./load-delivery";
import {
  measureGrowthFetch,
  measureGrowthPoll,
  measureGrowthRegister,
  measureGrowthSend,
} from "./load-growth";
import { mixed } from "./load-mixed";
import { measureNeighbours } from "./load-neighbours";
import { reads, registrations } from "./load-reads";
import { measureNarrows, searches } from "./load-search";
import { sends } from "./load-sends";
import { measureSessions } from "./load-sessions";
import { runSteadyLoad } from "./load-steady";
import type { Figures, LoadTarget } from "./load-target";
import { measureUnread } from "./load-unread";
import { messagesChannel } from "./seeding";
import { measure, measureInTurns, type Scenario } from "./work";

/** Scenarios that can be measured on two servers in turns. */
const pausing: Record<string, Scenario> = {
  send1: sends(1),
  send16: sends(16),
  send64: sends(64),
  register: registrations(),
  registerLarge: registrations("registerLarge"),
  fetch: reads,
  search: searches,
  mixed,
};

const scenarios: Record<string, (target: LoadTarget) => Promise<Figures>> = {
  ...Object.fromEntries(
    Object.entries(pausing).map(([name, scenario]) => [
      name,
      (target: LoadTarget) => measure(target, scenario),
    ]),
  ),
  deliver: measureDelivery,
  fanOut: measureFanOut,
  crowd: measureCrowd,
  edit: measureEdits,
  move: measureMoves,
  narrows: measureNarrows,
  steady: runSteadyLoad,
  hold: measureHeldPolls,
  sessions: measureSessions,
  growthSend: measureGrowthSend,
  growthFetch: measureGrowthFetch,
  growthPoll: measureGrowthPoll,
  growthRegister: measureGrowthRegister,
  ...Object.fromEntries(
    Object.keys(attacks).map((name) => [
      `beside-${name}`,
      (target: LoadTarget) => measureNeighbours(target, name),
    ]),
  ),
  ...measureUnread,
};

const { values: flags } = parseArgs({
  options: {
    scenario: { type: "string", default: "send1" },
    port: { type: "string", default: "8080" },
    pid: { type: "string", default: "0" },
    credentials: { type: "string", default: "credentials.json" },
    beside: { type: "string" },
    "beside-pid": { type: "string", default: "0" },
    "beside-credentials": { type: "string", default: "credentials.json" },
    seconds: { type: "string", default: "4" },
    "warm-up": { type: "string", default: "0" },
    channel: { type: "string", default: messagesChannel },
    user: { type: "string" },
  },
});

function targetAt(port: string, pid: string, credentials: string): LoadTarget {
  const users = decodeCredentials(readFileSync(credentials, "utf8"));
  return {
    port: Number(port),
    pid: Number(pid),
    seconds: Number(flags.seconds),
    channel: flags.channel,
    users:
      flags.user === undefined ? users : users.slice(Number(flags.user), Number(flags.user) + 1),
  };
}

function unknownScenario(names: object): never {
  console.error(`unknown scenario ${flags.scenario}; there are ${Object.keys(names).join(", ")}`);
  process.exit(2);
}

async function measureFigures(): Promise<Figures | [Figures, Figures]> {
  const target = targetAt(flags.port, flags.pid, flags.credentials);
  if (flags.beside === undefined)
    return (scenarios[flags.scenario] ?? unknownScenario(scenarios))(target);
  const other = targetAt(flags.beside, flags["beside-pid"], flags["beside-credentials"]);
  const scenario = pausing[flags.scenario] ?? unknownScenario(pausing);
  return measureInTurns([target, other], scenario, Number(flags["warm-up"]));
}

console.log(JSON.stringify(await measureFigures()));
process.exit(0);
