/**
 * The load generator, a process of its own so that it shares no event loop with what it measures.
 * `bun load.ts --scenario NAME --port N --pid N --credentials FILE --seconds S [--channel NAME]
 * [--user N]` prints the figures as one line of JSON.
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
import { measureMixed } from "./load-mixed";
import { measureNeighbours } from "./load-neighbours";
import { measureReads, measureRegister } from "./load-reads";
import { measureNarrows, measureSearches } from "./load-search";
import { measureSends } from "./load-sends";
import { runSteadyLoad } from "./load-steady";
import type { Figures, LoadTarget } from "./load-target";
import { measureUnread } from "./load-unread";
import { messagesChannel } from "./seeding";

const scenarios: Record<string, (target: LoadTarget) => Promise<Figures>> = {
  send1: (target) => measureSends(target, 1),
  send16: (target) => measureSends(target, 16),
  send64: (target) => measureSends(target, 64),
  deliver: measureDelivery,
  fanOut: measureFanOut,
  register: (target) => measureRegister(target),
  registerLarge: (target) => measureRegister(target, "registerLarge"),
  crowd: measureCrowd,
  fetch: measureReads,
  edit: measureEdits,
  move: measureMoves,
  search: measureSearches,
  narrows: measureNarrows,
  mixed: measureMixed,
  steady: runSteadyLoad,
  hold: measureHeldPolls,
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
    seconds: { type: "string", default: "4" },
    channel: { type: "string", default: messagesChannel },
    user: { type: "string" },
  },
});

const measure = scenarios[flags.scenario];
if (measure === undefined) {
  console.error(
    `unknown scenario ${flags.scenario}; there are ${Object.keys(scenarios).join(", ")}`,
  );
  process.exit(2);
}
const users = decodeCredentials(readFileSync(flags.credentials, "utf8"));
const figures = await measure({
  port: Number(flags.port),
  pid: Number(flags.pid),
  seconds: Number(flags.seconds),
  channel: flags.channel,
  users: flags.user === undefined ? users : users.slice(Number(flags.user), Number(flags.user) + 1),
});
console.log(JSON.stringify(figures));
process.exit(0);
