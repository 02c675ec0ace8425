/**
 * The floor: the least that a Bun program can do for the requests of the load. Keys in a map, one
 * INSERT per message in a WAL database with `synchronous=FULL` and group commit, queues in memory;
 * no rules, no rendering, no search. Run: `floor --data DIR --credentials FILE --port N`. Without a
 * credentials file it answers `server_settings` only.
 */
import { Database } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decodeCredentials } from "./credentials";

type Sender = { id: number; email: string; name: string };
type Message = { id: number; event: string };
type Queue = { messages: Message[]; wake: (() => void) | undefined };
type Write = { sender: Sender; form: URLSearchParams; resolve: (response: Response) => void };

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "." },
    credentials: { type: "string", default: "" },
    port: { type: "string", default: "0" },
  },
});

const database = new Database(join(flags.data, "floor.db"), { create: true });
database.run("PRAGMA journal_mode = WAL");
database.run("PRAGMA synchronous = FULL");
database.run(
  "CREATE TABLE messages (id INTEGER PRIMARY KEY, sender_id INTEGER, topic TEXT, content TEXT, sent_at INTEGER)",
);
const beginWrites = database.query("BEGIN IMMEDIATE");
const commit = database.query("COMMIT");
const insertMessage = database.query<{ id: number }, [number, string, string, number]>(
  "INSERT INTO messages (sender_id, topic, content, sent_at) VALUES (?, ?, ?, ?) RETURNING id",
);
type Row = { id: number; sender_id: number; topic: string; content: string; sent_at: number };
const newestMessages = database.query<Row, [number]>(
  "SELECT * FROM messages ORDER BY id DESC LIMIT ?",
);

const senders = loadSenders();
const sendersById = new Map([...senders.values()].map((sender) => [sender.id, sender]));
const queues = new Map<string, Queue>();
let queueCount = 0;
let writes: Write[] = [];

function loadSenders(): Map<string, Sender> {
  if (!existsSync(flags.credentials)) return new Map();
  const credentials = decodeCredentials(readFileSync(flags.credentials, "utf8"));
  return new Map(
    credentials.map((user, index) => [
      user.authorization,
      { id: index + 1, email: user.email, name: user.name },
    ]),
  );
}

function answer(json: string, status = 200): Response {
  return new Response(json, { status, headers: { "content-type": "application/json" } });
}

function formatMessage(row: Row, sender: Sender | undefined): string {
  return JSON.stringify({
    id: row.id,
    sender_id: row.sender_id,
    sender_email: sender?.email,
    sender_full_name: sender?.name,
    sender_realm_str: "",
    avatar_url: null,
    client: "bench",
    type: "stream",
    stream_id: 1,
    display_recipient: "general",
    recipient_id: 1,
    subject: row.topic,
    topic_links: [],
    content: row.content,
    content_type: "text/html",
    timestamp: row.sent_at,
    is_me_message: false,
    reactions: [],
    submessages: [],
  });
}

/**
 * Stores the writes of one event loop turn in one transaction, answers them after the COMMIT, then
 * wakes held polls.
 */
function commitWrites(): void {
  const batch = writes;
  writes = [];
  const sentAt = Math.floor(Date.now() / 1000);
  beginWrites.run();
  const stored = batch.map(({ sender, form }) => {
    const topic = form.get("topic") ?? "";
    const content = form.get("content") ?? "";
    const id = insertMessage.get(sender.id, topic, content, sentAt)?.id ?? 0;
    return { id, sender_id: sender.id, topic, content, sent_at: sentAt };
  });
  commit.run();
  stored.forEach((row, index) => {
    batch[index]?.resolve(answer(`{"result":"success","msg":"","id":${row.id}}`));
  });
  if (queues.size > 0) announceMessages(stored);
}

function announceMessages(rows: Row[]): void {
  const messages = rows.map((row) => {
    const body = formatMessage(row, sendersById.get(row.sender_id));
    return { id: row.id, event: `{"type":"message","id":${row.id},"message":${body},"flags":[]}` };
  });
  for (const queue of queues.values()) {
    queue.messages.push(...messages);
    queue.wake?.();
  }
}

async function sendMessage(request: Request, sender: Sender): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  return new Promise<Response>((resolve) => {
    if (writes.push({ sender, form, resolve }) === 1) setImmediate(commitWrites);
  });
}

function registerQueue(): Response {
  queueCount += 1;
  const id = `floor:${queueCount}`;
  queues.set(id, { messages: [], wake: undefined });
  return answer(`{"result":"success","msg":"","queue_id":"${id}","last_event_id":-1}`);
}

function getEvents(url: URL): Response | Promise<Response> {
  const queue = queues.get(url.searchParams.get("queue_id") ?? "");
  if (queue === undefined)
    return answer('{"result":"error","code":"BAD_EVENT_QUEUE_ID","msg":"no such queue"}', 400);
  const lastId = Number(url.searchParams.get("last_event_id") ?? -1);
  while (queue.messages[0] !== undefined && queue.messages[0].id <= lastId) queue.messages.shift();
  if (queue.messages.length > 0) return answerEvents(queue);
  return new Promise<Response>((resolve) => {
    queue.wake = () => {
      queue.wake = undefined;
      resolve(answerEvents(queue));
    };
  });
}

function answerEvents(queue: Queue): Response {
  return answer(
    `{"result":"success","msg":"","events":[${queue.messages.map((message) => message.event).join(",")}]}`,
  );
}

function getMessages(url: URL): Response {
  const rows = newestMessages.all(Number(url.searchParams.get("num_before") ?? 100)).reverse();
  const messages = rows.map((row) => formatMessage(row, sendersById.get(row.sender_id))).join(",");
  return answer(
    `{"result":"success","msg":"","anchor":10000000000000000,"found_newest":true,"messages":[${messages}]}`,
  );
}

function handle(request: Request): Response | Promise<Response> {
  const url = new URL(request.url);
  const route = `${request.method} ${url.pathname}`;
  if (route === "GET /api/v1/server_settings") return answer('{"result":"success","msg":""}');
  const sender = senders.get(request.headers.get("authorization") ?? "");
  if (sender === undefined)
    return answer('{"result":"error","code":"UNAUTHORIZED","msg":"unknown key"}', 401);
  if (route === "POST /api/v1/messages") return sendMessage(request, sender);
  if (route === "GET /api/v1/events") return getEvents(url);
  if (route === "POST /api/v1/register") return registerQueue();
  if (route === "GET /api/v1/messages") return getMessages(url);
  return answer('{"result":"error","code":"BAD_REQUEST","msg":"no such route"}', 404);
}

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(flags.port),
  idleTimeout: 0,
  development: false,
  fetch: handle,
});
