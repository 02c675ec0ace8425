import { connectionOf, type RelayConfig } from "./relay";
import { whyRelayRefuses } from "./relay-failure";

/**
 * Connects to the relay and signs in, without a mail: the reason why that does not work, or
 * undefined where it does or there is no relay.
 */
export async function whyRelayFails(
  config: RelayConfig,
  milliseconds: number,
): Promise<string | undefined> {
  if (config.smtpRelayHost === undefined) return undefined;
  const { createTransport } = await import("nodemailer");
  const limits = { connectionTimeout: milliseconds, greetingTimeout: milliseconds };
  const transport = createTransport({
    ...connectionOf(config),
    ...limits,
    dnsTimeout: milliseconds,
    socketTimeout: milliseconds,
  });
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return whyRelayRefuses(error);
  } finally {
    transport.close();
  }
}
