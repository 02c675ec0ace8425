import { isIP, type Networks, plainAddress } from "../core/network/address";

/**
 * The address that a request comes from. An address in `X-Forwarded-For` counts only if a trusted
 * proxy put it there: the list is followed from its end as long as the sender is trusted.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  trusted: Networks | undefined,
): string {
  let address = plainAddress(peer);
  if (!trusted || forwardedFor === null) return address;
  for (const hop of forwardedFor.split(",").reverse()) {
    const next = plainAddress(withoutPort(hop.trim()));
    if (!trusted.has(address) || isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/**
 * Whether a request came in over https: a trusted proxy says so in `X-Forwarded-Proto`. Anybody
 * else may claim it.
 */
export const isForwardedEncrypted = (
  peer: () => string,
  forwardedProto: string | null,
  trusted: Networks | undefined,
) => forwardedProto === "https" && trusted !== undefined && trusted.has(plainAddress(peer()));

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (hop: string) =>
  /^\[([^\]]+)\](:\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
