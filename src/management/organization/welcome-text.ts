import type { Context, Person } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, record, text } from "../../core/params";
import { requireAdministrator } from "../../core/rights/permission";
import { isLonger } from "../../core/text/name";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { realmSettings } from "../../realm/settings";
import { sendWelcomeText } from "../accounts/welcome";

const { lengthMax } = realmSettings.welcome_message_custom_text;

export const TestWelcomeText = record({ welcomeMessageCustomText: text() });

/**
 * Shows an administrator the welcome text for new people, as a direct message of Notification Bot;
 * answers its id. Event: message, to them. Refuses an empty text and one that is too long
 * (BAD_REQUEST). Source: `test/recorded/api/api-surface.json`, test-welcome-bot-custom-message.
 */
export async function testWelcomeText(
  ctx: Context<Person>,
  { welcomeMessageCustomText: wanted }: Input<typeof TestWelcomeText>,
): Promise<{ message_id: number }> {
  if (isLonger(wanted, lengthMax))
    throw badRequest(`A welcome message has at most ${lengthMax} characters.`);
  return write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    requireAdministrator(current.actor);
    const messageId = await sendWelcomeText(tx, current, current.actor.user, wanted);
    if (messageId === undefined)
      throw badRequest("Write the message that new people are welcomed with.");
    return { message_id: messageId };
  });
}
