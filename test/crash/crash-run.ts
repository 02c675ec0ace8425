import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  clientOf,
  freshFolder,
  mustChatd,
  readCredentials,
  serveCommand,
  waitFor,
} from "../cli/chatd";
import type { Client } from "../support/client";
import { startServer } from "../support/processes/server-process";
import { CrashListener, type Journal, keepSending, keepTyping } from "./crash-clients";
import { seededRandom } from "./seeded-random";
import { judge, type Stored, type Verdict } from "./verdict";

const senderCount = 16;
const acknowledgementsBetweenKillsMax = 400;
const extraMillisecondsMax = 30;
const startMillisecondsMax = 200;
/** This part of the kills hits a server that is still starting. */
const killedWhileStarting = 0.2;
const progressMilliseconds = 30_000;
const pageSize = 1_000;

const unlimited = ["user", "key", "address"].flatMap((whose) => [
  `--requests-per-minute-per-${whose}`,
  "0",
]);
interface CrashRun {
  /** Flags that name the data. */
  place: string[];
  kills: number;
  seed: number;
}

export interface CrashReport extends Verdict {
  kills: number;
  acknowledged: number;
  /** Answers that no crash explains. */
  refusals: string[];
  /** Errors that the servers have logged. */
  errors: string[];
}

/** Organizes half of the senders around `east` and half around `west`; olga reads both. */
const channels = ["east", "west"];
const senders = Array.from({ length: senderCount }, (_, index) => ({
  name: `sender${index}`,
  channel: channels[index % channels.length] ?? "",
}));

const organization = `
realm: {name: Acme, host: localhost}
users:
  - {email: olga@example.com, name: Olga Owner, role: owner}
${["ed", "wilma", "tina", ...senders.map(({ name }) => name)].map((name) => `  - {email: ${name}@example.com, name: ${name}}`).join("\n")}
channels:
  - {name: east, subscribers: [olga@example.com, ed@example.com, tina@example.com, ${subscribersOf("east")}]}
  - {name: west, subscribers: [olga@example.com, wilma@example.com, ${subscribersOf("west")}]}
`;

function subscribersOf(channel: string): string {
  const names = senders
    .filter((sender) => sender.channel === channel)
    .map(({ name }) => `${name}@example.com`);
  return names.join(", ");
}

/**
 * Kills the server again and again while sixteen people send and others listen, starts it again on
 * its data and port, and reports what became of the messages. Clients never register again.
 */
export async function crashAgainAndAgain({ place, kills, seed }: CrashRun): Promise<CrashReport> {
  const people = await provision(place);
  const crashing = await startCrashing(place, seededRandom(seed));
  const { site } = crashing;
  const journal = makeJournal();
  const listeners = await openListeners(site, people);
  try {
    const sending = await startSenders(site, people, journal);
    for (const listener of listeners) listener.start(journal);
    while (crashing.kills() < kills) {
      await progress(journal, Math.ceil(crashing.random() * acknowledgementsBetweenKillsMax));
      await crashing.crash(kills);
    }
    await progress(journal, senderCount);
    journal.areSendersDone = true;
    await Promise.all(sending);
    const stored = await readStored(people("olga", site));
    await waitForListeners(listeners, stored);
    const { acknowledged, refusals } = journal;
    const errors = crashing.errors();
    return {
      ...judge(acknowledged, stored, listeners),
      kills,
      acknowledged: acknowledged.size,
      refusals,
      errors,
    };
  } finally {
    journal.areSendersDone = true;
    await Promise.all(listeners.map((listener) => listener.stop()));
    await crashing.end();
  }
}

/** A server on one place and port that is killed at random moments. */
async function startCrashing(place: string[], random: () => number) {
  const serve = (port: string) =>
    startServer([...serveCommand, ...unlimited, "--port", port, ...place]);
  const servers = [await serve("0").ready()];
  const { site } = servers[0] ?? { site: "" };
  const { port } = new URL(site);
  let kills = 0;
  const newest = () => servers.at(-1);
  return {
    site,
    random,
    kills: () => kills,
    /**
     * Kills it, sometimes again while it starts, up to so many kills in all; then it serves again.
     */
    async crash(killsMax: number) {
      await Bun.sleep(random() * extraMillisecondsMax);
      await newest()?.kill();
      kills++;
      while (kills < killsMax && random() < killedWhileStarting) {
        const starting = serve(port);
        await Bun.sleep(random() * startMillisecondsMax);
        await starting.kill();
        kills++;
      }
      servers.push(await serve(port).ready());
    },
    /** Errors that the servers have logged. */
    errors: () =>
      servers
        .flatMap(({ log }) => log().split("\n"))
        .filter((line) => line.includes('"level":"error"')),
    end: async () => void (await newest()?.stop()),
  };
}

type People = (name: string, site: string) => Client;

async function provision(place: string[]): Promise<People> {
  const folder = freshFolder();
  const file = join(folder, "org.yaml");
  const credentials = join(folder, "credentials.json");
  writeFileSync(file, organization);
  await mustChatd(["admin", "apply", file, "--credentials", credentials, ...place]);
  const known = readCredentials(credentials);
  return (name, site) => clientOf(site, known, name);
}

function makeJournal(): Journal & { count: number } {
  const journal = {
    acknowledged: new Map<string, number>(),
    refusals: [],
    areSendersDone: false,
    count: 0,
    noteAcknowledged: () => void journal.count++,
  };
  return journal;
}

/** Waits for so many more acknowledgements. */
async function progress(journal: { count: number }, more: number): Promise<void> {
  const target = journal.count + more;
  await waitFor(() => (journal.count >= target ? true : undefined), progressMilliseconds);
}

async function openListeners(site: string, people: People): Promise<CrashListener[]> {
  const open = async (name: string, heard: string[], parameters: object) =>
    new CrashListener(
      await people(name, site).register({ event_types: ["message"], ...parameters }),
      heard,
    );
  return Promise.all([
    open("olga", channels, {}),
    open("olga", ["west"], { narrow: [["channel", "west"]] }),
    open("ed", ["east"], { event_types: ["message", "typing"] }),
    open("wilma", ["west"], { event_types: ["message", "typing"], apply_markdown: false }),
    open("sender0", ["east"], { event_types: undefined }),
  ]);
}

async function startSenders(
  site: string,
  people: People,
  journal: Journal,
): Promise<Promise<void>[]> {
  const queues = await Promise.all(
    senders.map(({ name }) => people(name, site).register({ event_types: ["message"] })),
  );
  const tina = people("tina", site);
  const { body } = await tina.get("/get_stream_id", { stream: "east" });
  const sending = senders.map(({ name, channel }, index) => {
    const queue = queues[index];
    if (!queue) throw new Error(`${name} has no queue`);
    return keepSending(name, queue, channel, journal);
  });
  return [...sending, keepTyping(tina, body.stream_id, journal)];
}

/** All messages, oldest first, read anew. */
async function readStored(reader: Client): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (;;) {
    const anchor = stored.at(-1)?.id ?? "oldest";
    const range = {
      anchor,
      include_anchor: stored.length === 0,
      num_before: 0,
      num_after: pageSize,
    };
    const { body } = await reader.get("/messages", { ...range, apply_markdown: false });
    for (const { id, content, display_recipient } of body.messages) {
      stored.push({ id, content, channel: display_recipient });
    }
    if (body.found_newest) return stored;
  }
}

/** Gives the listeners time to hear of the last message; what is missing then is lost. */
async function waitForListeners(listeners: CrashListener[], stored: Stored[]): Promise<void> {
  const lastIn = (heard: string[]) =>
    stored.findLast(({ channel }) => heard.includes(channel))?.id ?? 0;
  const isDone = ({ channels: heard, messageIds, isRefused }: CrashListener) =>
    isRefused || (messageIds.at(-1) ?? 0) >= lastIn(heard);
  await waitFor(() => (listeners.every(isDone) ? true : undefined), progressMilliseconds).catch(
    () => undefined,
  );
}
