import { type Connection, formatRequest, type Reply } from "./http-client";

/** A client with an event queue of its own on a connection of its own. */
export type Listener = {
  connection: Connection;
  authorization: string;
  queueId: string;
  lastEventId: number;
};

/** A message as a listener received it: when, and the text by which its sender marked it. */
export type Arrival = { atMs: number; marker: string };

/** The answer to a poll and when it was complete. */
export type Answered = { atMs: number; reply: Reply };

type WireEvent = { id: number; type: string; message?: { content: string } };

const messagesOnly = `event_types=${encodeURIComponent('["message"]')}&fetch_event_types=${encodeURIComponent('["message"]')}`;

/** Registers a queue on the connection, for messages unless told otherwise. */
export async function registerListener(
  connection: Connection,
  authorization: string,
  form = messagesOnly,
): Promise<Listener> {
  const reply = await connection.request(
    formatRequest("POST", "/api/v1/register", authorization, form),
    true,
  );
  const answer = JSON.parse(reply.body) as { queue_id?: string; last_event_id?: number };
  if (answer.queue_id === undefined)
    throw new Error(`register was refused with ${reply.status}: ${reply.body.slice(0, 300)}`);
  return {
    connection,
    authorization,
    queueId: answer.queue_id,
    lastEventId: answer.last_event_id ?? -1,
  };
}

/**
 * Polls once; the answer is read later, by `readArrivals`, so that reading it does not delay the
 * next one's time.
 */
export async function pollOnce(listener: Listener): Promise<Answered> {
  const path = `/api/v1/events?queue_id=${encodeURIComponent(listener.queueId)}&last_event_id=${listener.lastEventId}`;
  const reply = await listener.connection.request(
    formatRequest("GET", path, listener.authorization),
    true,
  );
  return { atMs: performance.now(), reply };
}

/** Polls until at least one message has come; heartbeats are passed over. */
export async function pollForMessages(listener: Listener): Promise<Arrival[]> {
  for (;;) {
    const arrivals = readArrivals(listener, await pollOnce(listener));
    if (arrivals.length > 0) return arrivals;
  }
}

/** Reads the messages out of the answer to a poll. Event ids must grow. */
export function readArrivals(listener: Listener, { atMs, reply }: Answered): Arrival[] {
  const { status, body } = reply;
  const answer = JSON.parse(body) as { events?: WireEvent[] };
  if (status !== 200 || answer.events === undefined)
    throw new Error(`a poll was refused with ${status}: ${body.slice(0, 300)}`);
  const arrivals: Arrival[] = [];
  for (const event of answer.events) {
    if (event.id <= listener.lastEventId)
      throw new Error(`event ids went from ${listener.lastEventId} to ${event.id}`);
    listener.lastEventId = event.id;
    const marker = /marker\d+/.exec(event.message?.content ?? "")?.[0];
    if (marker !== undefined) arrivals.push({ atMs, marker });
  }
  return arrivals;
}
