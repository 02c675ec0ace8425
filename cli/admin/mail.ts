import { ApiError } from "../../src/core/errors";
import { testMail } from "../../src/mail/test-mail";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { printResult } from "../output";

const marks = { server: "<", client: ">", here: "·" };

/**
 * `chatd admin mail test ADDRESS`: sends a mail at once, and shows what the mail server said and
 * how long it took.
 */
export async function tryMail(address: string, options: RealmOptions) {
  const { isSent, outcome, milliseconds, dialogue } = await withOperator(options, (ctx) =>
    testMail(ctx, address),
  );
  const time = `after ${(milliseconds / 1000).toFixed(1)} seconds`;
  const lines = dialogue.map(({ by, text }) => `${marks[by]} ${text}`);
  if (isSent) {
    const verdict = {
      text: `The mail server took it ${time}: ${outcome}`,
      style: "green",
    } as const;
    printResult(options, { outcome, milliseconds, dialogue }, [...lines, verdict]);
    return;
  }
  if (!options.json) printResult(options, {}, lines);
  throw new ApiError("BAD_REQUEST", `The mail was not sent, ${time}: ${outcome}`, 400, {
    milliseconds,
    dialogue,
  });
}
