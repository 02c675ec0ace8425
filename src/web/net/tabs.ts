import type { ArrivingEvent } from "../../api-types";
import { now } from "../clock";
import { Refusal, readEvents, remove } from "./api";
import { wait } from "./backoff";
import { isSeen, noticeWaking, wake } from "./pause";
import type { Queue } from "./poll";
import { pollOn, queueOf, registerAnew } from "./poll-on";
import type { Snapshot } from "./register";

/** A page that follows the events of its person. */
export interface Page {
  /** Receives new events in order. */
  take(events: readonly ArrivingEvent[]): void;
  /** Receives a new state, because events may have been missed. */
  renew(snapshot: Snapshot): void;
  /** Told which queue the events come from. Messages are sent with its id. */
  follow(queueId: string): void;
  /** Told whether the server answers. */
  connected(isConnected: boolean): void;
  /**
   * Told whether this tab is the one that polls, and that also does everything else that is done
   * once for all tabs.
   */
  polls(isPolling: boolean): void;
}

/**
 * Follows the events of a person, beginning with the queue of the page, until the server refuses
 * for good; returns that refusal. One tab polls for all tabs of the person. Without locks, which
 * browsers only have on encrypted addresses, or without channels, each tab polls while it is
 * visible.
 */
export async function followEvents(own: Queue, userId: number, page: Page): Promise<Refusal> {
  if ("locks" in navigator && "BroadcastChannel" in globalThis)
    return new Tab(own, `chatd-events-${userId}`, page).follow();
  const { signal } = new AbortController();
  noticeWaking(wake);
  page.polls(true);
  const receiver = {
    take: page.take,
    connected: page.connected,
    renew(snapshot: Snapshot) {
      page.renew(snapshot);
      page.follow(snapshot.queue_id);
    },
  };
  const refusal = await pollOn(own, receiver, { signal, onlySeen: true });
  return refusal ?? ended;
}

const ended = new Refusal(0, "ENDED", "The page follows no queue any more.");

/** Messages between the tabs of a person. `since` is the event after which the queue was polled. */
type Word =
  | { readonly kind: "hello" }
  /**
   * Sent by a tab that becomes visible again, because the polling tab may be asleep in the
   * background.
   */
  | { readonly kind: "wake" }
  | {
      readonly kind: "events";
      readonly queue: Queue;
      readonly since: number;
      readonly events: readonly ArrivingEvent[];
    }
  | { readonly kind: "state"; readonly snapshot: Snapshot }
  | { readonly kind: "connected"; readonly isConnected: boolean };

/**
 * The polling tab sends a message at each heartbeat of the server. After this time without one, the
 * browser has frozen it.
 */
const silenceMillisecondsMax = 150_000;
const watchMilliseconds = 30_000;
const askAgainMilliseconds = 200;

/**
 * One of several tabs. The tab that holds the lock polls and passes events on to the others. When
 * it is closed, another tab continues with its queue.
 */
class Tab {
  /** A tab begins with its own queue, and follows another one as soon as it learns of it. */
  private standing: "alone" | "catching up" | "following" | "polling" = "alone";
  private readonly channel: BroadcastChannel;
  private readonly end = Promise.withResolvers<Refusal>();
  private readonly life = new AbortController();
  /** Messages that arrive while this tab catches up. */
  private held: Word[] = [];
  private caughtUp: Promise<void> = Promise.resolve();
  /** The id of the newest event that the page has received. */
  private taken: number;
  private heardAt = now();

  constructor(
    private queue: Queue,
    private readonly name: string,
    private readonly page: Page,
  ) {
    this.taken = queue.lastEventId;
    this.channel = new BroadcastChannel(name);
  }

  async follow(): Promise<Refusal> {
    this.channel.onmessage = ({ data }: MessageEvent<Word>) => this.hear(data);
    this.say({ kind: "hello" });
    void this.wantToPoll({});
    noticeWaking(() => {
      wake();
      this.say({ kind: "wake" });
    });
    const watch = setInterval(() => this.endSilence(), watchMilliseconds);
    const refusal = await this.end.promise;
    clearInterval(watch);
    this.life.abort();
    this.channel.close();
    return refusal;
  }

  private say(word: Word): void {
    if (!this.life.signal.aborted) this.channel.postMessage(word);
  }

  /** Waits for the lock, or steals it, and polls as long as this tab holds it. */
  private async wantToPoll(options: LockOptions): Promise<void> {
    const stolen = new AbortController();
    this.life.signal.addEventListener("abort", () => stolen.abort());
    try {
      await navigator.locks.request(this.name, options, () => this.poll(stolen.signal));
    } catch (error) {
      // Another tab steals the lock if this one was silent for long.
      const isStolen = error instanceof DOMException && error.name === "AbortError";
      if (!isStolen) reportError(error);
      stolen.abort();
      this.standing = "following";
      this.page.polls(false);
      this.heardAt = now();
      // A page that is being left never gets the lock. It asks again if it comes back.
      await wait(askAgainMilliseconds);
      void this.wantToPoll({});
    }
  }

  private async poll(signal: AbortSignal): Promise<void> {
    await this.caughtUp;
    if (signal.aborted) return;
    this.standing = "polling";
    this.page.polls(true);
    this.page.follow(this.queue.queueId);
    this.tellOfQueue();
    const taker = {
      take: (events: readonly ArrivingEvent[], queue: Queue, since: number) => {
        this.queue = queue;
        this.say({ kind: "events", queue, since, events });
        this.take(events);
      },
      renew: (snapshot: Snapshot) => {
        this.say({ kind: "state", snapshot });
        this.renew(snapshot);
      },
      connected: (isConnected: boolean) => {
        this.say({ kind: "connected", isConnected });
        this.page.connected(isConnected);
      },
    };
    const refusal = await pollOn(this.queue, taker, { signal });
    if (refusal) this.end.resolve(refusal);
  }

  private tellOfQueue(): void {
    const { queue } = this;
    this.say({ kind: "events", queue, since: queue.lastEventId, events: [] });
  }

  private take(events: readonly ArrivingEvent[]): void {
    const fresh = events.filter(({ id }) => id > this.taken);
    this.taken = Math.max(this.taken, ...fresh.map(({ id }) => id));
    if (fresh.length > 0) this.page.take(fresh);
  }

  private renew(snapshot: Snapshot): void {
    this.queue = queueOf(snapshot);
    this.taken = this.queue.lastEventId;
    this.page.renew(snapshot);
    this.page.follow(this.queue.queueId);
  }

  private hear(word: Word): void {
    if (word.kind === "hello") {
      if (this.standing === "polling") this.tellOfQueue();
      return;
    }
    if (word.kind === "wake") {
      wake();
      return;
    }
    if (this.standing === "polling") return;
    this.heardAt = now();
    if (word.kind === "connected") this.page.connected(word.isConnected);
    else if (this.standing === "following") this.obey(word);
    else this.held.push(word);
    if (this.standing === "alone" && this.held.length > 0) this.caughtUp = this.catchUp();
  }

  private obey(word: Word): void {
    if (word.kind === "state") this.renew(word.snapshot);
    if (word.kind !== "events") return;
    const isSame = word.queue.queueId === this.queue.queueId;
    if (isSame && word.since > this.queue.lastEventId) {
      this.held.push(word);
      this.caughtUp = this.startOver();
      return;
    }
    this.queue = word.queue;
    if (!isSame) this.page.follow(word.queue.queueId);
    this.take(word.events);
  }

  /**
   * Receives the remaining events of its own queue and ends it, because another tab polls for all.
   */
  private async catchUp(): Promise<void> {
    this.standing = "catching up";
    const { queueId, lastEventId } = this.queue;
    try {
      const { signal } = this.life;
      this.take(await readEvents(queueId, lastEventId, { signal, isHeld: false }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.startOver();
    }
    endQueue(queueId);
    this.followHeld();
  }

  /** Receives a new state after a message was missed, for example because the tab was frozen. */
  private async startOver(): Promise<void> {
    this.standing = "catching up";
    const renewed = await registerAnew(this.life.signal);
    if (renewed instanceof Refusal) this.end.resolve(renewed);
    if (renewed === undefined || renewed instanceof Refusal) return;
    this.taken = renewed.last_event_id;
    this.page.renew(renewed);
    endQueue(renewed.queue_id);
    this.followHeld();
  }

  private followHeld(): void {
    this.standing = "following";
    const held = this.held.filter(({ kind }) => kind === "state" || kind === "events");
    this.held = [];
    const first = held[0];
    // This tab's state already includes earlier messages.
    if (first?.kind === "events") this.queue = { ...first.queue, lastEventId: first.since };
    for (const word of held) this.obey(word);
    this.page.follow(this.queue.queueId);
  }

  /** Steals the lock from a silent tab, because somebody looks at this one. */
  private endSilence(): void {
    const isSilent = now() - this.heardAt > silenceMillisecondsMax;
    if (this.standing !== "following" || !isSilent || !isSeen()) return;
    this.heardAt = now();
    void this.wantToPoll({ steal: true });
  }
}

/** Deletes a queue that nobody reads. If that fails, the queue expires by itself. */
function endQueue(queueId: string): void {
  remove("/events", { queue_id: queueId }).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}
