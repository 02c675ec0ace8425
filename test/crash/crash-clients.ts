import type { Answer, Client, Queue, WireEvent } from "../support/client";

const retryMilliseconds = 10;

/** Data that the clients of one run share: where they note things, and when they end. */
export interface Journal {
  /** Ids of acknowledged messages, by their content. */
  acknowledged: Map<string, number>;
  /** Answers that no crash explains. */
  refusals: string[];
  /** The senders stop after what they are sending. */
  areSendersDone: boolean;
  /** Called after each acknowledgement. */
  noteAcknowledged(): void;
}

/**
 * One attempt at the server: its answer, or undefined when there was no whole answer, as while it
 * is down.
 */
async function attempt(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
    return undefined;
  }
}

/** Asks until there is an answer: what people's clients do when the connection breaks. */
async function persist(
  ask: () => Promise<Answer>,
  isOver = () => false,
): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  while (answer === undefined && !isOver()) answer = await attempt(ask());
  return answer;
}

/**
 * Sends one message after the other to a channel; repeats each under its `local_id` until it is
 * acknowledged.
 */
export async function keepSending(
  name: string,
  queue: Queue,
  channel: string,
  journal: Journal,
): Promise<void> {
  for (let number = 1; !journal.areSendersDone; number++) {
    const content = `${name} says ${number}`;
    const message = { type: "channel", to: channel, topic: name, content };
    const answer = await persist(() =>
      queue.client.post("/messages", { ...message, queue_id: queue.id, local_id: `${number}` }),
    );
    if (answer?.status === 200) journal.acknowledged.set(content, answer.body.id);
    else journal.refusals.push(`${content}: ${JSON.stringify(answer?.body)}`);
    journal.noteAcknowledged();
  }
}

/** Types all the time: events that are not logged get ids between those that are. */
export async function keepTyping(
  typist: Client,
  channelId: number,
  journal: Journal,
): Promise<void> {
  let isTyping = false;
  while (!journal.areSendersDone) {
    isTyping = !isTyping;
    const state = {
      type: "channel",
      stream_id: channelId,
      topic: "typing",
      op: isTyping ? "start" : "stop",
    };
    const answer = await attempt(typist.post("/typing", state));
    if (answer && answer.status !== 200)
      journal.refusals.push(`typing: ${JSON.stringify(answer.body)}`);
    await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
  }
}

/** Events that one listener has received, in the order in which they came. */
export class CrashListener {
  readonly eventIds: number[] = [];
  readonly messageIds: number[] = [];
  isRefused = false;
  private readonly ending = new AbortController();
  private ended: Promise<void> | undefined;

  constructor(
    readonly queue: Queue,
    /** The channels that it gets messages of. */
    readonly channels: string[],
  ) {}

  /** Polls with the queue it has and its own `last_event_id`, whatever happens to the server. */
  start(journal: Journal): void {
    this.ended = this.keepPolling(journal);
  }

  /** Ends the poll that is held. */
  async stop(): Promise<void> {
    this.ending.abort();
    await this.ended;
  }

  private async keepPolling(journal: Journal): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted && !this.isRefused) {
      const answer = await persist(
        () => this.queue.poll({}, { signal }),
        () => signal.aborted,
      );
      if (answer?.status === 200) this.take(answer.body.events);
      else if (answer?.body.code === "BAD_EVENT_QUEUE_ID") this.isRefused = true;
      else if (answer) journal.refusals.push(`poll: ${JSON.stringify(answer.body)}`);
    }
  }

  private take(events: WireEvent[]): void {
    for (const { id, type, message } of events) {
      this.eventIds.push(id);
      if (type === "message") this.messageIds.push(message.id);
      this.queue.lastEventId = Math.max(this.queue.lastEventId, id);
    }
  }
}
