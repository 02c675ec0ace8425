import { parsedJson } from "../../core/parsed-json";
import { isRecord } from "../../core/record";
import { interfaceTypes } from "../outgoing";

/**
 * Meaning of a receiver's answer: a text to say as the bot, or nothing; or that it cannot be
 * understood.
 */
export type Reply =
  | { is: "said"; content: string }
  | { is: "nothing" }
  | { is: "invalid"; reason: string };

const nothing: Reply = { is: "nothing" };

/**
 * Reads the answer to what was posted. In our own form `response_not_required` asks for nothing,
 * `response_string` and `content` are what the bot says; in Slack's form that is `text`. An empty
 * body asks for nothing. Source: recorded behaviour of the reference server.
 */
export function readReply(interfaceType: number, body: Uint8Array): Reply {
  const text = new TextDecoder().decode(body);
  if (text.trim() === "") return nothing;
  const answer = parsedJson(text);
  // Receivers have nothing to say in these forms.
  if (answer === "") return nothing;
  if (!isRecord(answer)) return { is: "invalid", reason: "The answer is not an object in JSON." };
  if (interfaceType === interfaceTypes.slack) return said(answer["text"]);
  if (answer["response_not_required"] === true) return nothing;
  return said(answer["response_string"] ?? answer["content"]);
}

const said = (content: unknown): Reply =>
  typeof content === "string" || typeof content === "number"
    ? { is: "said", content: String(content) }
    : nothing;
