import type { Config } from "../config/config";
import { badRequest } from "../core/errors";

type CallConfig = Pick<Config, "bigBlueButtonSecret" | "bigBlueButtonUrl">;

const bigBlueButton = { name: "BigBlueButton", id: 4 };

/** Providers of video calls that an organization may choose, as clients list them. */
export const videoChatProviders = (config: CallConfig) => ({
  disabled: { name: "None", id: 0 },
  jitsi_meet: { name: "Jitsi Meet", id: 1 },
  ...(findBigBlueButton(config) ? { big_blue_button: bigBlueButton } : {}),
});

/** A BigBlueButton, and the secret that it shares with this server. */
export interface BigBlueButton {
  url: string;
  secret: string;
}

function findBigBlueButton(config: CallConfig): BigBlueButton | undefined {
  const { bigBlueButtonUrl: url, bigBlueButtonSecret: secret } = config;
  return url === undefined || secret === undefined ? undefined : { url, secret };
}

/**
 * The BigBlueButton of this server. Refuses where the operator has configured none (BAD_REQUEST).
 */
export function requireBigBlueButton(config: CallConfig): BigBlueButton {
  const found = findBigBlueButton(config);
  if (found) return found;
  throw badRequest(
    "BigBlueButton is not configured: the operator must set big_blue_button_url and big_blue_button_secret.",
  );
}

/** Refuses a provider of video calls that this server lacks (BAD_REQUEST). */
export function requireProvider(config: CallConfig, id: unknown) {
  if (id === bigBlueButton.id) requireBigBlueButton(config);
}
