import type { BlockList } from "node:net";

/** Loaded on first use, because loading it would make every start slower. */
const net = (): typeof import("node:net") => require("node:net");

/** 4 or 6, or 0 if the text is no address. */
export const isIP = (address: string): number => net().isIP(address);

/** A set of networks that can be asked whether it contains an address. */
export interface Networks {
  has(address: string): boolean;
}

/**
 * Reads networks as an operator writes them: addresses and prefixes, separated by commas
 * (`127.0.0.1, 10.0.0.0/8, ::1`). Throws and names the first part that is neither.
 */
export function parseNetworks(text: string): Networks {
  const list = new (net().BlockList)();
  for (const part of text.split(",").map((one) => one.trim())) addNetwork(list, part);
  return { has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) };
}

function addNetwork(list: BlockList, network: string) {
  const [address = "", prefix, ...rest] = network.split("/");
  const bitsMax = isIP(address) === 6 ? 128 : 32;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bitsMax);
  if (isIP(address) === 0 || !isPrefix || rest.length > 0)
    throw new Error(`'${network}' is no address or network.`);
  list.addSubnet(address, prefix === undefined ? bitsMax : Number(prefix), familyOf(address));
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/**
 * An address in one form: an IPv4 address that is mapped to IPv6 (`::ffff:192.0.2.1`) becomes that
 * IPv4 address.
 */
export const plainAddress = (address: string): string =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.replace(/%.*$/, "").toLowerCase();

/**
 * Key under which requests from an address are counted: an IPv4 address itself, or the /64 of an
 * IPv6 address (`2001:db8:0:7::1` is `2001:db8:0:7::/64`), because one customer has all addresses
 * of a /64.
 */
export function countedAddress(address: string): string {
  if (!address.includes(":") || isIP(address) !== 6) return address;
  const [head = "", tail = ""] = address.split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const after = tail.split(":").filter((group) => group !== "");
  const missing = address.includes("::") ? Math.max(0, 8 - groups.length - after.length) : 0;
  const all = [...groups, ...Array.from({ length: missing }, () => "0"), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

/** Whether this is a loopback address. */
export const isLoopbackAddress = (address: string): boolean =>
  address === "::1" || (isIP(address) === 4 && address.startsWith("127."));

/** Whether a host is this machine itself: its name or a loopback address, also as in a URL. */
export const isOfThisMachine = (host: string): boolean =>
  /^(?:(?:.*\.)?localhost|\[::1\])$/.test(host) || isLoopbackAddress(host);
