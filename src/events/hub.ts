import type { Engine } from "../../db/engine";
import { type Audience, isAddressed } from "../core/audience";
import type { Clock } from "../core/clock";
import type { LogEntry, LoggedEvent } from "../core/context";
import { badEventQueueId, badRequest } from "../core/errors";
import { type EventHub, idsPerLogEntry, type PollRequest, type Recipient } from "../core/event-hub";
import { type Presenters, type PresentedEvent, presentEntries, shapedMembers, withId } from "./present";
import { type HeldPoll, type HoldOutcome, loadQueue, type QueueState } from "./queues";
import { appendEntry, entriesAfter, makeRealmLog, type RealmLog, readLogHead, readLogPage, tailAfter } from "./realm-log";
import { loadViewer, usersChangedBy, usersFlaggedBy, type Viewer } from "./viewers";

/** How many events one answer holds at the most; the client fetches the rest with its next poll. */
const eventsPerAnswerMax = 1_000;
/** How many events that are not stored wait for a client between two of its polls. */
const ephemeralMax = 256;
/** How long after its last poll a client still counts as connected. */
const connectedSeconds = 120;

interface HubOptions {
  engine: Engine;
  clock: Clock;
  presenters: Presenters;
  heartbeatSeconds: number;
  queueEventsMax: number;
  /** Appends an entry that is for nobody, which makes room for more ids of events that are not stored. */
  logBlank(realmId: number): void;
  warn(event: string, fields: Record<string, unknown>): void;
}

/** The hub with what only the process that owns it may do. */
export interface ServingHub extends EventHub {
  /** Some commits are on disk and their callers answered: whoever waits for them is woken. */
  flushed(): void;
  /** Another process has written; `realmId` if known. */
  changedElsewhere(realmId?: number): void;
  /** Delivers an event that another node sent. */
  deliverEphemeral(realmId: number, audience: Audience, event: LoggedEvent): void;
  /** Answers polls that have waited long enough. */
  sendHeartbeats(): void;
  allQueues(): Iterable<QueueState>;
  endQueues(ids: Iterable<string>): void;
  /** Answers every held poll, and those to come, without waiting. */
  close(): void;
}

class Hub implements ServingHub {
  private readonly logs = new Map<number, Promise<RealmLog>>();
  private readonly openLogs = new Map<number, RealmLog>();
  private readonly queues = new Map<string, QueueState>();
  private readonly viewers = new Map<number, Viewer>();
  private isClosing = false;

  constructor(private readonly options: HubOptions) {}

  private realmLog(realmId: number): Promise<RealmLog> {
    let log = this.logs.get(realmId);
    if (!log) {
      log = readLogHead(this.options.engine.reader, realmId).then((head) => {
        const opened = makeRealmLog(realmId, head);
        this.openLogs.set(realmId, opened);
        return this.catchUp(opened).then(() => opened);
      });
      this.logs.set(realmId, log);
    }
    return log;
  }

  /** Reads what the log has beyond what is known here. Calls that overlap share the work; a failure waits for the next. */
  private catchUp(log: RealmLog): Promise<void> {
    if (log.catchingUp) {
      log.catchUpAgain = true;
      return log.catchingUp;
    }
    log.catchingUp = this.readNewEntries(log)
      .catch((error: unknown) => this.options.warn("log_read_failed", { realm: log.realmId, error: String(error) }))
      .then(() => {
        log.catchingUp = undefined;
        this.wake(log);
      });
    return log.catchingUp;
  }

  private async readNewEntries(log: RealmLog) {
    do {
      log.catchUpAgain = false;
      for (;;) {
        const page = await readLogPage(this.options.engine.reader, log.realmId, log.head);
        for (const entry of page) this.append(log, entry);
        if (page.length === 0) break;
      }
    } while (log.catchUpAgain);
  }

  private append(log: RealmLog, entry: LogEntry) {
    if (entry.id <= log.head) return;
    appendEntry(log, entry);
    for (const userId of usersChangedBy(entry)) this.viewers.delete(userId);
    for (const userId of usersFlaggedBy(entry)) {
      const viewer = this.viewers.get(userId);
      if (viewer) viewer.flagsChangedAt = entry.id;
    }
    if (entry.event.type === "server_queues_ended") this.endMatching(entry.event);
  }

  private endMatching({ userId, apiKeyId, queueId }: LoggedEvent) {
    for (const queue of this.queues.values()) {
      if (queue.userId === userId || queue.id === queueId || (apiKeyId !== undefined && queue.apiKeyId === apiKeyId)) {
        this.endQueue(queue);
      }
    }
  }

  private endQueue(queue: QueueState) {
    queue.hasEnded = true;
    this.queues.delete(queue.id);
    queue.held?.release("woken");
  }

  private recipientOf(queue: QueueState, viewer: Viewer): Recipient {
    const { userId, role, periods } = viewer;
    return { userId, role, periods, queueId: queue.id, options: queue.options };
  }

  private wants(queue: QueueState, viewer: Viewer, audience: Audience, event: LoggedEvent, logId: number): boolean {
    const { eventTypes, allPublicStreams } = queue.options;
    if (eventTypes !== null && !eventTypes.includes(event.type)) return false;
    const accepts = this.options.presenters.get(event.type)?.accepts;
    if (accepts && !accepts(event, queue.options)) return false;
    return isAddressed(audience, viewer, logId, allPublicStreams && event.type === "message");
  }

  /** Wakes the clients for whom the log has something new; notes for the others how far it holds nothing. */
  private wake(log: RealmLog) {
    for (const queue of this.queues.values()) {
      const { held } = queue;
      if (!held || queue.realmId !== log.realmId || held.scannedTo >= log.head) continue;
      const viewer = this.viewers.get(queue.userId);
      const isNews = (entry: LogEntry) => !viewer || this.wants(queue, viewer, entry.audience, entry.event, entry.id);
      if (tailAfter(log, held.scannedTo).some(isNews) || held.scannedTo < log.start) held.release("woken");
      else queue.emptyTo = held.scannedTo = log.head;
    }
  }

  private async findQueue(realmId: number, userId: number, queueId: string): Promise<QueueState> {
    const known = this.queues.get(queueId) ?? (await loadQueue(this.options.engine.reader, realmId, queueId));
    if (!known || known.userId !== userId || known.realmId !== realmId) throw badEventQueueId(queueId);
    const queue = this.queues.get(queueId) ?? known;
    this.queues.set(queueId, queue);
    return queue;
  }

  private async findViewer(log: RealmLog, queue: QueueState): Promise<Viewer> {
    const known = this.viewers.get(queue.userId);
    if (known) return known;
    const head = log.head;
    const viewer = await loadViewer(this.options.engine.reader, log.realmId, queue.userId, head);
    if (!viewer) throw badEventQueueId(queue.id);
    if (log.head === head) this.viewers.set(queue.userId, viewer);
    return viewer;
  }

  /** Takes over what the client says it has, and refuses an id that this queue cannot have given out. */
  private acknowledge(queue: QueueState, log: RealmLog, lastEventId: number) {
    const registered = queue.registeredAt * idsPerLogEntry;
    const given = lastEventId === -1 ? registered : lastEventId;
    const highest = Math.max(queue.highest, (log.head + 1) * idsPerLogEntry - 1);
    if (given < queue.acknowledged) throw badRequest(`Event ${lastEventId} was already acknowledged on this queue.`);
    if (given > highest) throw badRequest(`Event ${lastEventId} was never in this queue.`);
    queue.acknowledged = given;
    queue.highest = Math.max(queue.highest, given);
    queue.ephemeral = queue.ephemeral.filter(({ id }) => id > given);
  }

  /** Everything that the queue has for its client after what was acknowledged, oldest first. */
  private async collect(queue: QueueState, log: RealmLog): Promise<PresentedEvent[]> {
    const viewer = await this.findViewer(log, queue);
    const acknowledged = Math.floor(queue.acknowledged / idsPerLogEntry);
    const isKnownEmpty = queue.emptyFrom <= acknowledged && acknowledged <= queue.emptyTo;
    const from = isKnownEmpty ? queue.emptyTo : acknowledged;
    const head = log.head;
    const isWanted = (entry: LogEntry) => this.wants(queue, viewer, entry.audience, entry.event, entry.id);
    const entries = await entriesAfter(log, this.options.engine.reader, from, isWanted);
    if (entries.length > this.options.queueEventsMax) {
      this.endQueue(queue);
      throw badEventQueueId(queue.id);
    }
    const batch = entries.slice(0, eventsPerAnswerMax);
    const logged = await presentEntries(this.options.presenters, log, batch, viewer, this.recipientOf(queue, viewer));
    if (logged.length === 0 && batch.length === entries.length) {
      queue.emptyFrom = isKnownEmpty ? queue.emptyFrom : acknowledged;
      queue.emptyTo = head;
    }
    const end = batch.length < entries.length ? (batch.at(-1)?.id ?? 0) * idsPerLogEntry : Number.POSITIVE_INFINITY;
    const events = [...logged, ...queue.ephemeral.filter(({ id }) => id < end)].sort((a, b) => a.id - b.id);
    queue.highest = Math.max(queue.highest, events.at(-1)?.id ?? 0);
    return events;
  }

  /** Waits until something happens that concerns the queue. */
  private hold(queue: QueueState, log: RealmLog, scannedTo: number, signal: AbortSignal): Promise<HoldOutcome> {
    if (this.isClosing) return Promise.resolve("closing");
    if (signal.aborted) return Promise.resolve("gone");
    if (queue.hasEnded || log.head !== scannedTo) return Promise.resolve("woken");
    if (queue.ephemeral.length > 0) return Promise.resolve("woken");
    return new Promise((resolve) => {
      const leave = () => held.release("gone");
      const held: HeldPoll = {
        scannedTo,
        heartbeatAt: this.options.clock.now() + this.options.heartbeatSeconds,
        release: (outcome) => {
          if (queue.held === held) queue.held = undefined;
          signal.removeEventListener("abort", leave);
          queue.lastSeen = this.options.clock.now();
          resolve(outcome);
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      queue.held = held;
    });
  }

  /** An id for an event that is not stored: above all ids so far, below the next log entry's. Undefined when used up. */
  private ephemeralId(queue: QueueState, log: RealmLog): number | undefined {
    const id = Math.max(queue.highest, log.head * idsPerLogEntry) + 1;
    if (id % idsPerLogEntry > idsPerLogEntry / 2) this.options.logBlank(log.realmId);
    if (id >= (log.head + 1) * idsPerLogEntry) return undefined;
    queue.highest = id;
    return id;
  }

  private heartbeat(queue: QueueState, log: RealmLog): PresentedEvent[] {
    const id = this.ephemeralId(queue, log);
    return id === undefined ? [] : [withId(id, '"type":"heartbeat"')];
  }

  private async answer(queue: QueueState, log: RealmLog, request: PollRequest): Promise<PresentedEvent[]> {
    const turn = ++queue.polls;
    queue.held?.release("replaced");
    for (;;) {
      const scannedTo = log.head;
      const events = await this.collect(queue, log);
      if (queue.hasEnded) throw badEventQueueId(queue.id);
      if (turn !== queue.polls) return [];
      if (events.length > 0 || request.dontBlock) return events;
      const outcome = await this.hold(queue, log, scannedTo, request.signal);
      if (queue.hasEnded) throw badEventQueueId(queue.id);
      if (outcome === "heartbeat") return this.heartbeat(queue, log);
      if (outcome !== "woken") return [];
    }
  }

  private async deliver(queue: QueueState, log: RealmLog, audience: Audience, event: LoggedEvent) {
    const viewer = await this.findViewer(log, queue);
    if (!this.wants(queue, viewer, audience, event, log.head + 1)) return;
    const id = this.ephemeralId(queue, log);
    if (id === undefined) return;
    queue.ephemeral.push(withId(id, shapedMembers(this.options.presenters, event, this.recipientOf(queue, viewer))));
    if (queue.ephemeral.length > ephemeralMax) queue.ephemeral.shift();
    queue.held?.release("woken");
  }

  deliverEphemeral(realmId: number, audience: Audience, event: LoggedEvent) {
    const log = this.openLogs.get(realmId);
    if (!log) return;
    const now = this.options.clock.now();
    for (const queue of this.queues.values()) {
      const isConnected = queue.held !== undefined || queue.lastSeen + connectedSeconds > now;
      if (queue.realmId === realmId && isConnected) this.deliver(queue, log, audience, event).catch(() => undefined);
    }
  }

  committed(realmId: number, entries: LogEntry[], logHeadBefore: number) {
    this.options.engine.announce(realmId);
    const log = this.openLogs.get(realmId);
    if (!log) return;
    if (log.catchingUp || log.head < logHeadBefore) void this.catchUp(log);
    else for (const entry of entries) this.append(log, entry);
  }

  flushed() {
    for (const log of this.openLogs.values()) this.wake(log);
  }

  changedElsewhere(realmId?: number) {
    for (const log of this.openLogs.values()) {
      if (realmId === undefined || log.realmId === realmId) void this.catchUp(log);
    }
  }

  sendEphemeral(realmId: number, audience: Audience, event: LoggedEvent) {
    this.deliverEphemeral(realmId, audience, event);
    this.options.engine.broadcast(JSON.stringify({ realmId, audience, event }));
  }

  async opened(realmId: number, userId: number, queueId: string) {
    await this.findQueue(realmId, userId, queueId);
    await this.realmLog(realmId);
  }

  async poll(request: PollRequest): Promise<string> {
    this.options.engine.lookElsewhere();
    const queue = await this.findQueue(request.realmId, request.userId, request.queueId);
    const log = await this.realmLog(request.realmId);
    if (log.catchingUp) await log.catchingUp;
    queue.lastSeen = this.options.clock.now();
    this.acknowledge(queue, log, request.lastEventId);
    const events = await this.answer(queue, log, request);
    return `[${events.map(({ json }) => json).join(",")}]`;
  }

  sendHeartbeats() {
    const now = this.options.clock.now();
    for (const { held } of this.queues.values()) if (held && held.heartbeatAt <= now) held.release("heartbeat");
  }

  allQueues() {
    return this.queues.values();
  }

  endQueues(ids: Iterable<string>) {
    for (const id of ids) {
      const queue = this.queues.get(id);
      if (queue) this.endQueue(queue);
    }
  }

  close() {
    this.isClosing = true;
    for (const { held } of this.queues.values()) held?.release("closing");
  }
}

export const makeEventHub = (options: HubOptions): ServingHub => new Hub(options);
