import { formatRequest, openConnection, openConnections } from "./http-client";
import {
  type Listener,
  pollForMessages,
  pollOnce,
  readArrivals,
  registerListener,
} from "./listener";
import { formatMessageForm, readSentId } from "./load-sends";
import { authorizationOf, type Figures, type LoadTarget } from "./load-target";
import { cpuMs, memoryKiB } from "./process-usage";
import { median, quantile } from "./statistics";

const listenerCount = 50;
const messagesPerSecond = 50;
const warmUpMessages = 50;
const lateMs = 15_000;
const heldPollCount = 1000;
const fanOutMessages = 10;
const settleMs = 2000;

export async function openListeners(target: LoadTarget, count: number): Promise<Listener[]> {
  const connections = await openConnections(target.port, count);
  const listeners: Listener[] = [];
  for (const [index, connection] of connections.entries()) {
    listeners.push(await registerListener(connection, authorizationOf(target, index)));
  }
  return listeners;
}

/** Collects what one listener receives until it has `expected` messages; none may come twice. */
async function collectLatencies(
  listener: Listener,
  sentAtMs: Map<string, number>,
  expected: number,
): Promise<number[]> {
  const seen = new Set<string>();
  const latenciesMs: number[] = [];
  while (seen.size < expected) {
    for (const { atMs, marker } of await pollForMessages(listener)) {
      if (seen.has(marker)) throw new Error(`${marker} was delivered twice`);
      seen.add(marker);
      if (seen.size > warmUpMessages) latenciesMs.push(atMs - (sentAtMs.get(marker) ?? Number.NaN));
    }
  }
  return latenciesMs;
}

/** Sends at a fixed pace, whatever the answers do; resolves once all are answered. */
async function sendAtPace(
  target: LoadTarget,
  sentAtMs: Map<string, number>,
  count: number,
): Promise<void> {
  const idle = await openConnections(target.port, 8);
  const authorization = authorizationOf(target, listenerCount);
  const startMs = performance.now();

  async function sendOne(index: number): Promise<void> {
    const connection = idle.pop() ?? (await openConnection(target.port));
    const request = formatRequest(
      "POST",
      "/api/v1/messages",
      authorization,
      formatMessageForm(target.channel, "deliver", `marker${index}`),
    );
    sentAtMs.set(`marker${index}`, performance.now());
    const reply = await connection.request(request, true);
    readSentId(reply.status, reply.body);
    idle.push(connection);
  }

  const sends: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    await Bun.sleep(Math.max(0, startMs + (index * 1000) / messagesPerSecond - performance.now()));
    sends.push(sendOne(index));
  }
  await Promise.all(sends);
}

/**
 * Send → receive: 50 listeners, 50 messages a second. Every listener must get every message exactly
 * once.
 */
export async function measureDelivery(target: LoadTarget): Promise<Figures> {
  const listeners = await openListeners(target, listenerCount);
  const sentAtMs = new Map<string, number>();
  const count = warmUpMessages + Math.round(messagesPerSecond * target.seconds * 2.5);
  const receiving = Promise.all(
    listeners.map((listener) => collectLatencies(listener, sentAtMs, count)),
  );
  const sending = sendAtPace(target, sentAtMs, count);
  const everything = Promise.all([receiving, sending]);
  const deadlineMs = (count / messagesPerSecond) * 1000 + lateMs;
  const late = Bun.sleep(deadlineMs).then(() =>
    Promise.reject(new Error("not every listener received every message")),
  );
  const [received] = await Promise.race([everything, late]);
  const latenciesMs = received.flat();
  return {
    deliverP50Ms: quantile(latenciesMs, 0.5),
    deliverP99Ms: quantile(latenciesMs, 0.99),
    deliverMaxMs: quantile(latenciesMs, 1),
  };
}

/**
 * One message to 1,000 held polls: from the send until the middle and until the last of them has
 * its answer.
 */
async function fanOut(
  target: LoadTarget,
): Promise<{ lastMs: number; middleMs: number; cpuMs: number }> {
  const listeners = await openListeners(target, heldPollCount);
  const [sender] = await openConnections(target.port, 1);
  const lastMs: number[] = [];
  const middleMs: number[] = [];
  let startCpuMs = cpuMs(target.pid);
  for (let index = -2; index < fanOutMessages; index++) {
    if (index === 0) startCpuMs = cpuMs(target.pid);
    const polls = listeners.map(async (listener) => ({
      listener,
      answered: await pollOnce(listener),
    }));
    await Bun.sleep(400);
    const form = formatMessageForm(target.channel, "fan-out", `marker${index + 2}`);
    const startMs = performance.now();
    const request = formatRequest("POST", "/api/v1/messages", authorizationOf(target, 0), form);
    const reply = await sender?.request(request, true);
    readSentId(reply?.status ?? 0, reply?.body ?? "");
    const received = (await Promise.all(polls)).flatMap(({ listener, answered }) =>
      readArrivals(listener, answered),
    );
    if (received.length !== heldPollCount)
      throw new Error(`${received.length} deliveries of one message to ${heldPollCount} queues`);
    const timesMs = received.map((arrival) => arrival.atMs - startMs);
    if (index >= 0) lastMs.push(quantile(timesMs, 1));
    if (index >= 0) middleMs.push(median(timesMs));
  }
  const perMessageMs = (cpuMs(target.pid) - startCpuMs) / fanOutMessages;
  return { lastMs: median(lastMs), middleMs: median(middleMs), cpuMs: perMessageMs };
}

/** One message to 1,000 held polls of 64 people; median of ten messages. */
export async function measureFanOut(target: LoadTarget): Promise<Figures> {
  const { lastMs, middleMs, cpuMs: cost } = await fanOut(target);
  return { fanOut1000P50Ms: lastMs, fanOut1000MiddleP50Ms: middleMs, fanOut1000CpuMs: cost };
}

/** One message to 1,000 held polls of as many people, who are a tenth of the channel. */
export async function measureCrowd(target: LoadTarget): Promise<Figures> {
  const { lastMs, middleMs, cpuMs: cost } = await fanOut(target);
  return { crowd1000P50Ms: lastMs, crowd1000MiddleP50Ms: middleMs, crowd1000CpuMs: cost };
}

/**
 * Memory that a held poll costs, without and with its queue: 1,000 queues are registered, then
 * polled.
 */
export async function measureHeldPolls(target: LoadTarget): Promise<Figures> {
  const startKiB = memoryKiB(target.pid);
  const listeners = await openListeners(target, heldPollCount);
  await Bun.sleep(settleMs);
  const registeredKiB = memoryKiB(target.pid);
  for (const listener of listeners) void pollForMessages(listener).catch(() => undefined);
  await Bun.sleep(settleMs);
  const heldKiB = memoryKiB(target.pid);
  return {
    heldPollKiB: (heldKiB - registeredKiB) / heldPollCount,
    queueAndHeldPollKiB: (heldKiB - startKiB) / heldPollCount,
  };
}
