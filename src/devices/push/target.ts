import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { App, RealmRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { isIP, parseNetworks } from "../../core/network/address";
import { isPublicAddress } from "../../core/network/public-address";
import type { Secrets } from "../../core/secrets/secrets";
import { parseRealmSettings } from "../../realm/settings";
import { isToken } from "./queries";

const addressLengthMax = 1_000;

const Target = Type.Object({
  /** The address to post to, or the token of an older mobile client. */
  to: Type.String(),
  p256dh: Type.Optional(Type.String()),
  auth: Type.Optional(Type.String()),
});

/** Address of a receiver, with the keys that encrypt its notifications. */
export type Target = Static<typeof Target>;

/** The kinds that people register; those of older mobile clients are `apns` and `fcm`. */
export const subscribedKinds = ["web_push", "unified_push", "ntfy"] as const;
export type SubscribedKind = (typeof subscribedKinds)[number];

const sealedFor = (userId: number) => `push subscription of user ${userId}`;

export const sealTarget = (secrets: Secrets, userId: number, target: Target): string =>
  secrets.seal(sealedFor(userId), JSON.stringify(target));

export function openTarget(
  secrets: Secrets,
  row: { userId: number; sealedTarget: string },
): Target {
  const target: unknown = JSON.parse(secrets.open(sealedFor(row.userId), row.sealedTarget));
  if (Value.Check(Target, target)) return target;
  throw new Error("A push subscription is not of its form.");
}

/** Whether notifications are encrypted, so that the service that delivers them cannot read them. */
export const isEncrypted = ({ p256dh }: Target): boolean => p256dh !== undefined;

/**
 * Whether a receiver gets nothing: tokens of older mobile clients, and, where the organization
 * requires encrypted notifications, receivers without keys.
 */
export function isUnserved(
  { settings }: Pick<RealmRow, "settings">,
  kind: string,
  target: Target,
): boolean {
  if (isToken({ kind })) return true;
  return !isEncrypted(target) && parseRealmSettings(settings).require_e2ee_push_notifications;
}

export const hashTarget = (to: string): string =>
  new Bun.CryptoHasher("sha256").update(to).digest("hex");

/**
 * Refuses an invalid address, or one that is visibly not public. The address that its name resolves
 * to is checked with each request. Source: `docs/protocol/security-cases.md`, G1.
 */
export function requireAddress({ config }: Pick<App, "config">, endpoint: string): string {
  const url = endpoint.length > addressLengthMax ? undefined : (URL.parse(endpoint) ?? undefined);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw badRequest("Invalid `endpoint`: it is an address that begins with https://.");
  }
  if (url.username !== "" || url.password !== "")
    throw badRequest("`endpoint` must not hold a user name or a password.");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const allowed = config.outboundNetworksAllowed;
  const isOpen =
    isIP(host) === 0 ||
    isPublicAddress(host) ||
    (allowed !== undefined && parseNetworks(allowed).has(host));
  if (!isOpen || host === "localhost") throw badRequest("`endpoint` is not on the open internet.");
  return url.href;
}
