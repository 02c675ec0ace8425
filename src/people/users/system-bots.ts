import { refusedFor } from "../../core/errors";
import { looksLike } from "../../core/text/look-alikes";
import { emailGatewayEmail, notificationBotEmail } from "./queries";

/** The bots that chatd itself sends messages as, with their addresses. */
export const systemBots = [
  { emailAt: notificationBotEmail, fullName: "Notification Bot" },
  { emailAt: emailGatewayEmail, fullName: "Email Gateway" },
];

/** Refuses (BAD_REQUEST) a name for a person or a bot that looks like that of a system bot. */
export function requireNoSystemBotName(fullName: string): void {
  const bot = systemBots.find((one) => looksLike(fullName)(one.fullName));
  if (bot)
    throw refusedFor(
      "name-of-system",
      `'${fullName}' looks like ${bot.fullName}, which is the server's own. Choose another name.`,
      fullName,
      bot.fullName,
    );
}
