import { type Trial, tryWebhook } from "../../src/bots/outgoing-webhooks/try";
import { badRequest } from "../../src/core/errors";
import { loadAccount } from "../../src/moving/organization/lookup";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { type Line, printResult } from "../output";

/** `chatd admin webhook test BOT [--message TEXT]`: exits with 1 if the bot would have failed. */
export async function testWebhook(email: string, options: RealmOptions & { message: string }) {
  const trial = await withOperator(options, async (ctx) =>
    tryWebhook(ctx, { botId: (await loadAccount(ctx, email)).id, content: options.message }),
  );
  const { url, request, milliseconds, answer, reply } = trial;
  const isGood = reply !== undefined && reply.is !== "invalid";
  const shown = { url, content_type: request.contentType, body: request.body };
  const data = {
    is_good: isGood,
    request: shown,
    milliseconds,
    answer: answerData(answer),
    reply: reply ?? null,
  };
  printResult(options, data, linesOf(trial));
  if (!isGood) throw badRequest(verdict(reply));
}

const answerData = (answer: Trial["answer"]) =>
  "problem" in answer
    ? answer
    : { status: answer.status, content_type: answer.contentType, body: answer.body };

function linesOf({ url, request, milliseconds, answer, reply }: Trial): Line[] {
  return [
    `POST ${url}`,
    `Content-Type: ${request.contentType}`,
    "",
    ...bodyLines(request.body),
    "",
    ...("problem" in answer
      ? [`No answer after ${milliseconds} ms: ${answer.problem}`]
      : [`Answered ${answer.status} after ${milliseconds} ms:`, ...bodyLines(answer.body)]),
    ...(reply === undefined || reply.is === "invalid"
      ? []
      : ["", { text: verdict(reply), style: "green" as const }]),
  ];
}

function verdict(reply: Trial["reply"]): string {
  if (!reply) return "The bot would say that it failed.";
  if (reply.is === "invalid") return `The bot would say that it failed: ${reply.reason}`;
  return reply.is === "nothing"
    ? "The bot would say nothing."
    : `The bot would say: ${reply.content}`;
}

/** JSON in lines; other content unchanged. */
function bodyLines(body: string): string[] {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2).split("\n");
  } catch {
    return body.split("\n");
  }
}
