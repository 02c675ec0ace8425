import type { Person, World } from "../world";

/** A post that has arrived at a receiver. */
export interface Received {
  path: string;
  headers: Headers;
  text: string;
  /** The body, where that is JSON. */
  json: ReturnType<typeof JSON.parse>;
}

/** Answer of a receiver. */
export type ReceiverAnswer = object | string | Response | Promise<Response>;

/**
 * Receiver of an outgoing webhook's posts: a real server on loopback, for worlds that allow
 * loopback.
 */
export interface Receiver {
  url: string;
  received: Received[];
  /** Sets the answer from now on. */
  answer(with_: (post: Received) => ReceiverAnswer): void;
  close(): Promise<void>;
}

/** The flag that allows a world's server to post to loopback. */
export const loopbackAllowed = { outbound_networks_allowed: "127.0.0.1" };

/** Starts a receiver. It answers nothing until `answer` is called. */
export function startReceiver(): Receiver {
  const received: Received[] = [];
  let answer: (post: Received) => ReceiverAnswer = () => ({});
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const text = await request.text();
      const isJson = request.headers.get("content-type") === "application/json";
      const json = isJson ? JSON.parse(text) : undefined;
      const post = { path: new URL(request.url).pathname, headers: request.headers, text, json };
      received.push(post);
      const answered = await answer(post);
      if (answered instanceof Response) return answered;
      return new Response(typeof answered === "string" ? answered : JSON.stringify(answered));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/x`,
    received,
    answer(with_) {
      answer = with_;
    },
    close: () => server.stop(true),
  };
}

/** An outgoing webhook of Alice's that posts there, subscribed to the channel `general`. */
export async function newHook(
  { alice }: World,
  url: string,
  { name = "Cook", interfaceType = 1 }: { name?: string; interfaceType?: number } = {},
): Promise<{ id: number; name: string; email: string }> {
  const asked = {
    full_name: name,
    short_name: name.toLowerCase(),
    bot_type: 3,
    payload_url: JSON.stringify(url),
  };
  const { status, body } = await alice.post("/bots", { ...asked, interface_type: interfaceType });
  if (status !== 200) throw new Error(`the bot was refused: ${JSON.stringify(body)}`);
  await alice.post("/users/me/subscriptions", {
    subscriptions: [{ name: "general" }],
    principals: [body.user_id],
  });
  return { id: body.user_id, name, email: `${name.toLowerCase()}-bot@chat.example.com` };
}

/** The newest messages that somebody reads, oldest first: who has sent it, and what it says. */
export async function newest(
  reader: Person,
  count: number,
  narrow: object[] = [],
): Promise<[number, string][]> {
  const asked = { anchor: "newest", num_before: count, num_after: 0, narrow };
  const { body } = await reader.get("/messages", asked);
  return body.messages.map((one: { sender_id: number; content: string }) => [
    one.sender_id,
    one.content,
  ]);
}

/** The narrow to a topic of the channel `general`. */
export const inTopic = (topic: string) => [
  { operator: "channel", operand: "general" },
  { operator: "topic", operand: topic },
];
