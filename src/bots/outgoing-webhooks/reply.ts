import { parsedJson } from "../../core/json/parsed-json";
import { isRecord } from "../../core/json/record";
import { interfaceTypes } from "../outgoing";

/** Meaning of a receiver's answer: a text to send as the bot, nothing, or an unusable answer. */
export type Reply =
  | { is: "said"; content: string }
  | { is: "nothing" }
  | { is: "invalid"; reason: string };

const nothing: Reply = { is: "nothing" };

/**
 * Parses the answer to a post. In our own form `response_not_required` means no answer,
 * `response_string` and `content` are the bot's text; in Slack's form that is `text`. An empty body
 * means no answer. Source: recorded behaviour of the reference server.
 */
export function readReply(interfaceType: number, body: Uint8Array): Reply {
  const text = new TextDecoder().decode(body);
  if (text.trim() === "") return nothing;
  const answer = parsedJson(text);
  // Forms of an answer without a text.
  if (answer === "") return nothing;
  if (!isRecord(answer)) return { is: "invalid", reason: "The answer is not an object in JSON." };
  if (interfaceType === interfaceTypes.slack) return said("text", answer["text"]);
  if (answer["response_not_required"] === true) return nothing;
  const { response_string: earlier } = answer;
  return isAbsent(earlier) ? said("content", answer["content"]) : said("response_string", earlier);
}

/** Values by which receivers say that there is no text. */
const isAbsent = (content: unknown) =>
  content === undefined || content === null || content === false;

/**
 * A text that the bot says, without NUL characters, because PostgreSQL cannot store them, and
 * without halves of characters, because many clients fail on them.
 */
function said(name: string, content: unknown): Reply {
  if (isAbsent(content)) return nothing;
  if (typeof content !== "string" && typeof content !== "number")
    return { is: "invalid", reason: `The text in the answer ('${name}') is not a string.` };
  return { is: "said", content: String(content).replaceAll("\0", "").toWellFormed() };
}
