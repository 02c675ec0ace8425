/**
 * A client whose types openapi-typescript made of the server's document, and whose requests
 * openapi-fetch sends. It is compiled in strict mode: each name and type below is checked against
 * the document. Arguments: address, e-mail address, API key.
 */
import createClient from "openapi-fetch";
import type { paths } from "./schema";

const [site = "", email = "", apiKey = ""] = process.argv.slice(2);
const headers = { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` };
const client = createClient<paths>({ baseUrl: `${site}/api/v1`, headers });

/** The answer, where there is one; else the refusal is thrown. */
function require<Answer>({ data, error }: { data?: Answer; error?: { msg: string } }): Answer {
  if (data === undefined) throw new Error(error?.msg ?? "There was no answer.");
  return data;
}

const { members } = require(await client.GET("/users", {}));
const body = {
  type: "channel",
  to: "general",
  topic: "clients",
  content: "Made of the document",
} as const;
const sent = require(await client.POST("/messages", { body }));
const narrow = JSON.stringify([{ operator: "topic", operand: "clients" }]);
const query = { anchor: "newest", num_before: 10, num_after: 0, narrow, apply_markdown: false };
const { messages, found_newest } = require(await client.GET("/messages", { params: { query } }));
const refused = await client.GET("/messages/{message_id}", {
  params: { path: { message_id: 999_999 } },
});

console.log(
  JSON.stringify({
    people: members.map(({ full_name }) => full_name),
    sent: sent.id,
    read: messages.map(({ id, content, subject }) => ({ id, content, topic: subject })),
    isAll: found_newest,
    refusal: refused.error?.code,
  }),
);
