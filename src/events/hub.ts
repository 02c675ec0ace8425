import { type Audience, isAddressed } from "../core/audience";
import type { LogEntry, LoggedEvent } from "../core/context";
import { ApiError, badEventQueueId, badRequest, realmDeactivated } from "../core/errors";
import {
  idsPerLogEntry,
  type PollRequest,
  queuesEndedType,
  type Recipient,
  type StoredQueue,
} from "../core/event-hub";
import { plainMembers } from "../core/json/raw-json";
import { tellFailure } from "../core/log";
import { collectLogged, isTooFarBehind } from "./collect";
import { FollowedLogs } from "./followed-logs";
import { heartbeat } from "./heartbeat";
import { type PresentedEvent, shapedMembers, withId } from "./present";
import { QueueOwnerCache } from "./queue-owner-cache";
import { type QueueOwner, usersChangedBy, usersFlaggedBy } from "./queue-owners";
import { QueueRegistry } from "./queue-registry";
import {
  type HeldPoll,
  type HoldOutcome,
  isListening,
  loadQueue,
  type QueueState,
  queueStateOf,
} from "./queues";
import { lastIdAfter, type RealmLog, tailAfter } from "./realm-log";
import { type Ephemeral, RelayInbox, relayTexts } from "./relay";
import type { HubOptions, ServingHub } from "./serving-hub";

/** Number of events that are kept for a client between two polls although they are not stored. */
const ephemeralMax = 256;
/** Seconds after its last poll that a client still counts as connected. */
const connectedSeconds = 120;

const heartbeatMembers = plainMembers(heartbeat({}));

/** Place in the log up to which a queue's client needs no entry any more. */
function placeOf({ acknowledged, emptyFrom, emptyTo, held }: QueueState): number {
  const place = Math.floor(acknowledged / idsPerLogEntry);
  return Math.max(place, emptyFrom <= place ? emptyTo : 0, held?.scannedTo ?? 0);
}

class Hub implements ServingHub {
  private readonly logs: FollowedLogs;
  private readonly owners: QueueOwnerCache;
  private readonly registry = new QueueRegistry((userId) => this.owners.disconnected(userId));
  private readonly relayInbox = new RelayInbox();
  private isClosing = false;

  constructor(private readonly options: HubOptions) {
    this.owners = new QueueOwnerCache(options.engine.reader);
    this.logs = new FollowedLogs(options.engine, {
      added: (entry) => this.noteEntry(entry),
      caughtUp: (log) => this.wake(log),
      failed: (error) => this.report("log_read_failed", error),
    });
  }

  private noteEntry(entry: LogEntry) {
    for (const userId of usersChangedBy(entry)) this.owners.forget(userId);
    for (const userId of usersFlaggedBy(entry)) {
      const owner = this.owners.cached(userId);
      if (owner) owner.flagsChangedAt = entry.id;
    }
    if (entry.event.type === queuesEndedType) this.registry.endNamed(entry);
  }

  private recipientOf(queue: QueueState, owner: QueueOwner): Recipient {
    const { userId, role, periods, receivesTyping } = owner;
    return { userId, role, periods, receivesTyping, queueId: queue.id, options: queue.options };
  }

  private wants(
    queue: QueueState,
    owner: QueueOwner,
    audience: Audience,
    event: LoggedEvent,
    logId: number,
  ): boolean {
    if (!isListening(queue, event)) return false;
    const accepts = this.options.presenters.get(event.type)?.accepts;
    if (accepts && !accepts(event, queue.options, owner)) return false;
    return isAddressed(
      audience,
      owner,
      logId,
      queue.options.allPublicStreams && event.type === "message",
    );
  }

  /**
   * Wakes the clients for whom the log has new events. For the other clients it notes up to which
   * place the log was searched.
   */
  private wake(log: RealmLog) {
    if (log.wokenTo === log.head) return;
    log.wokenTo = log.head;
    for (const queue of this.registry.heldOf(log.realmId)) {
      const { held } = queue;
      if (!held || held.scannedTo >= log.head) continue;
      const owner = this.owners.cached(queue.userId);
      const isNews = (entry: LogEntry) =>
        !owner || this.wants(queue, owner, entry.audience, entry.event, entry.id);
      if (tailAfter(log, held.scannedTo).some(isNews) || held.scannedTo < log.start)
        held.release("woken");
      else queue.emptyTo = held.scannedTo = log.head;
    }
  }

  /**
   * Finds a queue in memory or by its row. The row is read again if queues ended meanwhile, because
   * an ended queue would stay in memory.
   */
  private async findQueue(realmId: number, userId: number, queueId: string): Promise<QueueState> {
    const queues = this.registry.ofRealm(realmId);
    for (;;) {
      const { endings } = this.registry;
      const loaded =
        queues.get(queueId) ?? (await loadQueue(this.options.engine.reader, realmId, queueId));
      if (this.registry.endings !== endings) continue;
      const queue = queues.get(queueId) ?? loaded;
      if (queue?.userId !== userId) throw badEventQueueId(queueId);
      this.registry.add(queue);
      this.owners.connected(userId);
      return queue;
    }
  }

  private async findOwner(log: RealmLog, queue: QueueState): Promise<QueueOwner> {
    const owner = await this.owners.find(log, queue.userId);
    if (!owner) throw badEventQueueId(queue.id);
    return owner;
  }

  /**
   * Notes the client's last event id. Refuses the queue if the log lacks the entry of that id, as
   * after a failover that has lost events. An id of another node is read from the log first.
   */
  private async acknowledge(queue: QueueState, log: RealmLog, lastEventId: number) {
    const registered = queue.registeredAt * idsPerLogEntry;
    const given = lastEventId === -1 ? registered : lastEventId;
    const isOwn = given <= queue.highest || (await this.logs.mayHaveGiven(log, given));
    if (given < queue.acknowledged)
      throw badRequest(`Event ${lastEventId} was already acknowledged on this queue.`);
    if (!isOwn) throw badEventQueueId(queue.id);
    queue.acknowledged = given;
    queue.highest = Math.max(queue.highest, given);
    queue.ephemeral = queue.ephemeral.filter(({ id }) => id > given);
  }

  /**
   * All events of the queue after the acknowledged one, oldest first, as many as fit into one
   * answer. Events that happen meanwhile are left out, because an event must not be sent before an
   * older one.
   */
  private async collect(
    queue: QueueState,
    log: RealmLog,
    { expect, beginLongWork }: PollRequest,
  ): Promise<PresentedEvent[]> {
    const { head } = log;
    const owner = this.owners.cached(queue.userId) ?? (await this.findOwner(log, queue));
    const acknowledged = Math.floor(queue.acknowledged / idsPerLogEntry);
    const isKnownEmpty = queue.emptyFrom <= acknowledged && acknowledged <= queue.emptyTo;
    const from = isKnownEmpty ? queue.emptyTo : acknowledged;
    const { engine, presenters, queueEventsMax, answerSizeBytesMax: sizeBytesMax } = this.options;
    const isWanted = (entry: LogEntry) =>
      this.wants(queue, owner, entry.audience, entry.event, entry.id);
    const recipient = this.recipientOf(queue, owner);
    const source = { presenters, log, reader: engine.reader, owner, recipient, isWanted };
    const isBehind = isTooFarBehind(queue, source, from, queueEventsMax);
    if (isBehind !== false && (await isBehind)) {
      this.registry.end(queue);
      throw badEventQueueId(queue.id);
    }
    const room = { sizeBytesMax, expect, beginLongWork };
    const { logged, end } = await collectLogged(source, from, head, room, queue.acknowledged);
    if (logged.length === 0) {
      queue.emptyFrom = isKnownEmpty ? queue.emptyFrom : acknowledged;
      queue.emptyTo = head;
    }
    const events = [...logged, ...queue.ephemeral.filter(({ id }) => id < end)].sort(
      (a, b) => a.id - b.id,
    );
    queue.highest = Math.max(queue.highest, events.at(-1)?.id ?? 0);
    return events;
  }

  /** Waits until an event is added that the queue's client gets. */
  private hold(queue: QueueState, log: RealmLog, signal: AbortSignal): Promise<HoldOutcome> {
    if (this.isClosing) return Promise.resolve("closing");
    if (signal.aborted) return Promise.resolve("gone");
    return new Promise((resolve) => {
      const leave = () => held.release("gone");
      const held: HeldPoll = {
        scannedTo: log.head,
        sinceMilliseconds: this.options.clock.steadyMilliseconds(),
        release: (outcome) => {
          this.registry.letGo(queue, held);
          signal.removeEventListener("abort", leave);
          queue.lastSeen = this.options.clock.now();
          resolve(outcome);
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      this.registry.hold(queue, held);
    });
  }

  /**
   * An id for an event that is not stored. It is higher than all ids so far, and lower than those
   * of the next log entry. Undefined when there is no such id left.
   */
  private ephemeralId(queue: QueueState, log: RealmLog): number | undefined {
    const id = Math.max(queue.highest, log.head * idsPerLogEntry) + 1;
    if (id % idsPerLogEntry > idsPerLogEntry / 2) this.options.logBlank(log.realmId);
    if (id > lastIdAfter(log)) return undefined;
    queue.highest = id;
    return id;
  }

  private heartbeat(queue: QueueState, log: RealmLog): PresentedEvent[] {
    const id = this.ephemeralId(queue, log);
    return id === undefined ? [] : [withId(id, heartbeatMembers)];
  }

  private async answer(
    queue: QueueState,
    log: RealmLog,
    request: PollRequest,
  ): Promise<PresentedEvent[]> {
    const turn = ++queue.polls;
    queue.held?.release("replaced");
    for (let outcome: HoldOutcome = "woken"; ; ) {
      const scannedTo = log.head;
      const events = await this.collect(queue, log, request);
      if (queue.hasEnded) return this.lastEvents(queue, log, request);
      if (turn !== queue.polls) return [];
      if (events.length > 0 || request.dontBlock) return events;
      const hasNews = log.head !== scannedTo || queue.ephemeral.length > 0;
      if (outcome === "heartbeat" && !hasNews) return this.heartbeat(queue, log);
      if (hasNews) continue;
      request.expect(0);
      request.endLongWork();
      outcome = await this.hold(queue, log, request.signal);
      if (queue.hasEnded) return this.lastEvents(queue, log, request);
      if (outcome !== "woken" && outcome !== "heartbeat") return [];
    }
  }

  /**
   * Answer to a poll on an ended queue: a refusal. If the realm was deactivated, the client first
   * gets the remaining events, with that of the deactivation.
   */
  private async lastEvents(
    queue: QueueState,
    log: RealmLog,
    request: PollRequest,
  ): Promise<PresentedEvent[]> {
    if (!queue.hasRealmEnded) throw badEventQueueId(queue.id);
    const events = await this.collect(queue, log, request);
    if (events.length === 0) throw realmDeactivated();
    return events;
  }

  private async deliver(queue: QueueState, log: RealmLog, audience: Audience, event: LoggedEvent) {
    // Changes that are already committed may affect who gets the event, so they are read first.
    if (log.catchingUp) await log.catchingUp;
    const owner = this.owners.cached(queue.userId) ?? (await this.findOwner(log, queue));
    if (!this.wants(queue, owner, audience, event, log.head + 1)) return;
    const id = this.ephemeralId(queue, log);
    if (id === undefined) return;
    queue.ephemeral.push(
      withId(id, shapedMembers(this.options.presenters, event, this.recipientOf(queue, owner))),
    );
    if (queue.ephemeral.length > ephemeralMax) queue.ephemeral.shift();
    queue.held?.release("woken");
  }

  private deliverEphemeral({ realmId, audience, event }: Ephemeral) {
    const log = this.logs.find(realmId);
    if (!log) return;
    const now = this.options.clock.now();
    for (const queue of this.candidates(realmId, audience)) {
      const isConnected = queue.held !== undefined || queue.lastSeen + connectedSeconds > now;
      if (isConnected && queue.realmId === realmId && isListening(queue, event))
        this.deliver(queue, log, audience, event).catch((error) =>
          this.report("delivery_failed", error),
        );
    }
  }

  /**
   * The queues that may get an event. These are the queues of people whom its audience names or who
   * may be subscribed, instead of all queues of the realm.
   */
  private candidates(realmId: number, audience: Audience): QueueState[] {
    if (audience.to !== "users" && (audience.to !== "subscribers" || audience.also))
      return this.queuesIn(realmId);
    const userIds =
      audience.to === "users" ? audience.ids : this.owners.mayBeSubscribed(audience.channelId);
    return userIds.flatMap((userId) => [...this.registry.ofUser(userId)]);
  }

  /** Logs a bug or a failure of the database. A refusal is only for the client. */
  private report(event: string, error: unknown) {
    if (!(error instanceof ApiError)) tellFailure(this.options.warn, event, error);
  }

  committed(realmId: number, entries: LogEntry[], logHeadBefore: number) {
    if (entries.length > 0) this.options.engine.announce(realmId);
    const log = this.logs.find(realmId);
    if (!log) return;
    if (log.catchingUp || log.head < logHeadBefore) void this.logs.catchUp(log);
    else for (const entry of entries) this.logs.append(log, entry);
  }

  flushed() {
    for (const log of this.logs.all()) this.wake(log);
  }

  changedElsewhere(realmId?: number) {
    if (realmId === undefined) return this.logs.catchUpAll();
    const log = this.logs.find(realmId);
    if (log) void this.logs.catchUp(log);
  }

  sendEphemeral(realmId: number, audience: Audience, event: LoggedEvent) {
    this.deliverEphemeral({ realmId, audience, event });
    const { broadcast } = this.options.engine;
    if (broadcast) for (const text of relayTexts({ realmId, audience, event })) broadcast(text);
  }

  received(text: string) {
    const ephemeral = this.relayInbox.take(text);
    if (ephemeral) this.deliverEphemeral(ephemeral);
  }

  connectionLost = () => this.logs.connectionLost();

  async follow(realmId: number) {
    await this.logs.follow(realmId);
  }

  opened(queue: StoredQueue) {
    const log = this.logs.find(queue.realmId);
    if (this.registry.open(queueStateOf(queue), log)) this.owners.connected(queue.userId);
  }

  async poll(request: PollRequest): Promise<string[]> {
    this.options.engine.checkForOtherWrites();
    // The size of this poll's answer is not known yet.
    request.expect(0);
    const log = await this.logs.follow(request.realmId);
    if (log.catchingUp) await log.catchingUp;
    const queue = await this.findQueue(request.realmId, request.userId, request.queueId);
    queue.lastSeen = this.options.clock.now();
    await this.acknowledge(queue, log, request.lastEventId);
    const events = await this.answer(queue, log, request);
    return events.map(({ json }) => json);
  }

  sendHeartbeats() {
    const dueBy = this.options.clock.steadyMilliseconds() - this.options.heartbeatSeconds * 1_000;
    for (const held of this.registry.allHeld())
      if (held.sinceMilliseconds <= dueBy) held.release("heartbeat");
  }

  queuesIn(realmId: number): QueueState[] {
    return [...this.registry.ofRealm(realmId).values()];
  }

  endQueues(realmId: number, ids: Iterable<string>) {
    this.registry.endByIds(realmId, ids);
  }

  figures() {
    const now = this.options.clock.now();
    const figures = { queues: 0, held: 0, lagEntriesMax: 0 };
    for (const queue of this.registry.all()) {
      figures.queues += 1;
      if (queue.held) figures.held += 1;
      const head = this.logs.find(queue.realmId)?.head ?? 0;
      if (queue.lastSeen + connectedSeconds > now)
        figures.lagEntriesMax = Math.max(figures.lagEntriesMax, head - placeOf(queue));
    }
    return figures;
  }

  close() {
    this.isClosing = true;
    for (const held of this.registry.allHeld()) held.release("closing");
  }
}

export const makeEventHub = (options: HubOptions): ServingHub => new Hub(options);
