import type { BigBlueButton } from "../../realm/video-chat";

/**
 * Address of a command at BigBlueButton, with the checksum that proves the secret. Apostrophes are
 * encoded too, because everybody who parses the address encodes them, and the checksum is over the
 * text that arrives. Source: https://docs.bigbluebutton.org/development/api/
 */
export function signedAddress(
  { url, secret }: BigBlueButton,
  command: "create" | "join" | "getMeetings",
  parameters: Record<string, string> = {},
): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("'", "%27")}`)
    .join("&");
  const checksum = new Bun.CryptoHasher("sha256").update(command + query + secret).digest("hex");
  return `${url}/api/${command}?${query}${query === "" ? "" : "&"}checksum=${checksum}`;
}
