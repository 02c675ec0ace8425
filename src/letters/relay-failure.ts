import { describeError } from "../core/log";

/** Message of nodemailer for a relay that answers a connection with a refusal. */
const refusedGreeting = /^Invalid greeting\. response=(.+): \1$/s;

/** Reason why a relay has taken no mail: the relay's own words where it gave some. */
export function whyRelayRefuses(error: unknown): string {
  const message = String(describeError(error)["error"]);
  const [, words] = refusedGreeting.exec(message) ?? [];
  return words === undefined ? message : `it refuses connections: ${words}`;
}
