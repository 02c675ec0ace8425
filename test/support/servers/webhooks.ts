import { botKinds } from "../../../src/people/bots/kinds";
import { newBot } from "../api/calls/things";
import type { Answer, Client } from "../client";
import type { Person, World } from "../world";

/** Form of a post: as JSON, unless a body is given. */
export interface Posting {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** A bot of Alice's to which other services post. */
export const newHook = (world: World): Promise<Person> => newBot(world, botKinds.incomingWebhook);

/** Path and query of the address that a service gets, with the key in it. */
export const addressFor = (bot: Person, integration: string, query = inGeneral): string =>
  `/external/${integration}?${new URLSearchParams({ api_key: bot.credentials?.apiKey ?? "", ...query })}`;

const inGeneral: Record<string, string> = { stream: "general" };

/** Posts like another service, with the key in the address as the only credential. */
export function postTo(
  { anonymous }: Pick<World, "anonymous">,
  bot: Person,
  integration: string,
  payload: unknown,
  { headers = {}, query, body = JSON.stringify(payload) }: Posting = {},
): Promise<Answer> {
  return anonymous.ask(
    "POST",
    addressFor(bot, integration, query),
    {},
    {
      body,
      headers: { "content-type": "application/json", ...headers },
    },
  );
}

/** The newest message that somebody can read, as it was written. */
export async function newest(person: Client) {
  const { body } = await person.get("/messages", {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  });
  return body.messages.at(-1);
}

/** Posts, and answers the topic and the text of the message that comes of it. */
export async function told(
  world: World,
  bot: Person,
  integration: string,
  payload: unknown,
  posting: Posting = {},
) {
  const { status, body } = await postTo(world, bot, integration, payload, posting);
  if (status !== 200 || body.code) throw new Error(`the post was refused: ${JSON.stringify(body)}`);
  const { subject, content, sender_id, display_recipient } = await newest(world.alice);
  if (sender_id !== bot.id || display_recipient !== "general")
    throw new Error("there is no message of the post");
  return [subject, content];
}

/** HMAC-SHA-256 in hexadecimal: what most services sign with. */
export const hmacOf = (secret: string, text: string) =>
  new Bun.CryptoHasher("sha256", secret).update(text).digest("hex");
