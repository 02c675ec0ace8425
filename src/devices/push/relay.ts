import type { Actor, App, RealmRow } from "../../core/context";
import { parsedJson } from "../../core/json/parsed-json";
import { isRecord } from "../../core/json/record";
import { outboundRequest } from "../../core/network/outbound";
import { credentialsOf, findIdentity, type RelayIdentity } from "./relay-identity";

const timeoutMilliseconds = 15_000;

/** Answer of the relay. `code` is its error code, `message` what it says of it. */
export type RelayAnswer =
  | { is: "done"; body: Record<string, unknown> }
  | { is: "refused"; status: number; code: string; message: string }
  | { is: "failed"; status: number }
  | { is: "unreachable"; reason: string };

interface Asking {
  signal?: AbortSignal | undefined;
  /** Identity other than the one that is configured or kept. */
  identity?: RelayIdentity | undefined;
}

interface Scope {
  app: App;
  realm: RealmRow;
  actor?: Actor;
}

export const hasRelay = ({ config }: Pick<App, "config">): boolean =>
  config.pushRelayUrl !== undefined;

/**
 * Whether this node can ask the relay: it has the address and an identity. One whose identity
 * cannot be read tries, so that the operator is told why it fails.
 */
export function canAskRelay(app: Pick<App, "config">): boolean {
  if (!hasRelay(app)) return false;
  try {
    return findIdentity(app.config) !== undefined;
  } catch {
    return true;
  }
}

/**
 * Sends this server's request to the relay, the service that delivers notifications to mobile
 * devices. Without a configured relay the answer is a refusal, as from a relay that does not know
 * this server. While the key is being replaced, either one may be the right one. Throws when
 * `signal` fires, and where the identity cannot be read.
 */
export async function askRelay(
  scope: Scope,
  path: string,
  posted: Posted,
  { signal, identity }: Asking = {},
): Promise<RelayAnswer> {
  const { id, key } = identity ?? findIdentity(scope.app.config) ?? { id: "", key: "" };
  const answer = await send(scope, path, posted, { id, key, signal });
  if (identity !== undefined || answer.is !== "refused" || answer.status !== 401) return answer;
  const now = findIdentity(scope.app.config);
  const other = [now?.nextKey, now?.key].find((one) => one !== undefined && one !== key);
  return other === undefined ? answer : send(scope, path, posted, { id, key: other, signal });
}

interface Posted {
  type: string;
  text: string;
}

async function send(
  scope: Scope,
  path: string,
  { type, text }: Posted,
  { id, key, signal }: { id: string; key: string; signal: AbortSignal | undefined },
): Promise<RelayAnswer> {
  const { pushRelayUrl } = scope.app.config;
  if (pushRelayUrl === undefined) return { is: "refused", status: 0, code: "", message: "" };
  const headers = { Authorization: credentialsOf(id, key), "Content-Type": type };
  const answer = await outboundRequest(scope, `${pushRelayUrl}/api/v1/remotes/${path}`, {
    method: "POST",
    headers,
    body: text,
    timeoutMilliseconds,
    allowPrivate: true,
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.is !== "answered") return { is: "unreachable", reason: answer.reason };
  const { status } = answer;
  if (status >= 500 || status === 429) return { is: "failed", status };
  const body = readJson(answer.body);
  if (status === 200 && body["result"] !== "error") return { is: "done", body };
  return { is: "refused", status, code: textIn(body, "code"), message: textIn(body, "msg") };
}

const textIn = (body: Record<string, unknown>, name: string): string => {
  const value = body[name];
  return typeof value === "string" ? value : "";
};

function readJson(bytes: Uint8Array): Record<string, unknown> {
  const value = parsedJson(new TextDecoder().decode(bytes));
  return isRecord(value) ? value : {};
}

/** A device's registration, in a form that only the relay can decrypt. */
export interface RelayRegistration {
  tokenId: string;
  bouncerPublicKey: string;
  encryptedPushRegistration: string;
}

/**
 * Registers a device at the relay. Source: `test/recorded/api/api-surface.json`,
 * register-remote-push-device.
 */
export function registerAtRelay(
  scope: Scope,
  registration: RelayRegistration,
  signal: AbortSignal,
) {
  const form = new URLSearchParams({
    realm_uuid: scope.realm.uuid,
    token_id: registration.tokenId,
    encrypted_push_registration: registration.encryptedPushRegistration,
    bouncer_public_key: registration.bouncerPublicKey,
  });
  const posted = { type: "application/x-www-form-urlencoded", text: form.toString() };
  return askRelay(scope, "push/e2ee/register", posted, { signal });
}

/** A notification for one device, encrypted so that the relay cannot read it. */
export interface RelayPush {
  tokenId: string;
  tokenKind: string;
  keyId: number;
  encryptedData: string;
  /** Whether it shows a notification, instead of only removing one. */
  isShown: boolean;
}

/**
 * Sends notifications; `goneTokenIds` are tokens that the relay says are no longer valid. Source:
 * the mobile notifications page of the protocol's documentation.
 */
export async function notifyThroughRelay(
  scope: Scope,
  pushes: readonly RelayPush[],
  signal?: AbortSignal,
): Promise<{ answer: RelayAnswer; goneTokenIds: ReadonlySet<string> }> {
  const body = { realm_uuid: scope.realm.uuid, push_requests: pushes.map(pushRequest) };
  const posted = { type: "application/json", text: JSON.stringify(body) };
  const answer = await askRelay(scope, "push/e2ee/notify", posted, { signal });
  const gone = answer.is === "done" ? answer.body["delete_token_ids"] : undefined;
  return { answer, goneTokenIds: new Set(Array.isArray(gone) ? gone.map(String) : []) };
}

function pushRequest({ tokenId, tokenKind, keyId, encryptedData, isShown }: RelayPush) {
  const payload = { push_key_id: keyId, encrypted_data: encryptedData };
  if (tokenKind === "fcm")
    return { token_id: tokenId, fcm_priority: isShown ? "high" : "normal", payload };
  const shown = { "mutable-content": 1, sound: "default", alert: { title: "New notification" } };
  return {
    token_id: tokenId,
    http_headers: isShown
      ? { apns_priority: 10, apns_push_type: "alert" }
      : { apns_priority: 5, apns_push_type: "background" },
    payload: { ...payload, aps: isShown ? shown : { "content-available": 1 } },
  };
}
