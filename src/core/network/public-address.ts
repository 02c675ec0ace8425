import { isIP, type Networks, parseNetworks } from "./address";

/**
 * IANA's special-purpose addresses (RFC 6890 and its registry): this network, private, CGNAT,
 * loopback, link-local with the clouds' metadata, documentation, 6to4 relays, benchmarks,
 * multicast, reserved, broadcast.
 */
const specialV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * All of IPv6 that is routed publicly. Outside of it are loopback, unspecified, link-local, unique
 * local, multicast, and addresses that contain an IPv4 address: mapped and compatible (::/96,
 * ::ffff:0:0/96), translated, NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
 */
const globalV6 = "2000::/3";

/**
 * Exceptions within it, which are unassigned or lead to an IPv4 address: Teredo and ORCHID in
 * 2001::/23, documentation, 6to4.
 */
const specialV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

/** ISATAP (RFC 5214): the last half of the address is `5efe` and an IPv4 address. */
const isatap = /(?:^|:)(?:0|200|::?):?5efe:[0-9a-f.:]+$/;

interface Rules {
  special: Networks;
  global: Networks;
}

let rules: Rules | undefined;

/** Made on first use, because most servers never need it. */
function loadRules(): Rules {
  rules ??= {
    special: parseNetworks([...specialV4, ...specialV6].join(",")),
    global: parseNetworks(globalV6),
  };
  return rules;
}

/**
 * Whether an address is public. False for a text that is no address, and for an IPv4 address
 * written as IPv6.
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, "").toLowerCase();
  const { special, global } = loadRules();
  if (isIP(plain) === 4) return !special.has(plain);
  return isIP(plain) === 6 && global.has(plain) && !special.has(plain) && !isatap.test(plain);
}
