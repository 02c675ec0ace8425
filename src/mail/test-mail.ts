import type { Config } from "../config/config";
import type { Context } from "../core/context";
import { accessDenied, badRequest } from "../core/errors";
import { siteOf } from "../core/network/site";
import { envelopeOf } from "../letters/envelope";
import { paragraph } from "../letters/letter";
import { type DialogueLine, isMailOn, sendByRelay } from "../letters/relay";
import { whyRelayRefuses } from "../letters/relay-failure";
import { cleanEmail } from "../people/users/email-address";

/** Outcome of a test mail. */
interface TestMailResult {
  isSent: boolean;
  /** Last reply of the relay, or the error. */
  outcome: string;
  milliseconds: number;
  dialogue: DialogueLine[];
}

/**
 * Sends a test mail at once, for the operator. A failure is an answer, too. Refuses an invalid
 * address, and a server without a relay (BAD_REQUEST).
 */
export async function testMail(ctx: Context, address: string): Promise<TestMailResult> {
  const { app, realm } = ctx;
  if (ctx.actor.kind !== "operator")
    throw accessDenied("Only the operator of the server can try the mail server.");
  if (!isMailOn(app.config)) {
    throw badRequest(
      "No mail server is configured: name one as smtp_relay_host. Until then, no mail is sent.",
    );
  }
  const email = cleanEmail(address);
  const letter = [
    paragraph(`This is a test: the server of ${realm.name} (${siteOf(ctx)}) can send mail.`),
  ];
  const envelope = envelopeOf(ctx, ctx.now, {
    to: { email },
    subject: `Test of ${realm.name}`,
    language: "en",
    letter,
    about: "a test",
  });
  const dialogue: DialogueLine[] = [];
  const start = app.clock.nowMilliseconds();
  const done = (isSent: boolean, outcome: string): TestMailResult => {
    const milliseconds = app.clock.nowMilliseconds() - start;
    return { isSent, outcome, milliseconds, dialogue };
  };
  try {
    const outcome = await sendByRelay(app.config, envelope, new AbortController().signal, (line) =>
      dialogue.push(line),
    );
    return done(true, outcome);
  } catch (error) {
    return done(false, `${whyRelayRefuses(error)}${encryptionHint(app.config, error)}`);
  }
}

/** Advice where the relay does not offer the configured encryption. */
function encryptionHint({ smtpRelaySecurity }: Config, error: unknown): string {
  const isRefused =
    smtpRelaySecurity === "starttls" &&
    error instanceof Error &&
    error.message.includes("STARTTLS");
  return isRefused ? ". Without STARTTLS it may want smtp_relay_security = tls, or none." : "";
}
