import { namedTopic } from "../../channels/topics/empty-topic";
import { daySeconds } from "../../core/clock";
import type { JobContext } from "../../jobs/define";
import { directPath, topicPath } from "../../protocol/narrow-links";
import type { MessagePayload, Payload } from "./payload";
import type { Target } from "./target";
import { loadVapidKey, vapidAuthorization } from "./vapid";
import { encryptForBrowser } from "./web-push";

/** Time that a push service keeps an undelivered notification. */
const keptSeconds = daySeconds;

interface Posted {
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
}

/**
 * A notification for a browser, or for a program with keys like a browser's (RFC 8030, 8291, 8292).
 */
export async function webPushRequest(
  ctx: JobContext,
  target: Target,
  payload: Payload,
): Promise<Posted> {
  const { p256dh = "", auth = "" } = target;
  const contact = ctx.url.startsWith("https://") ? ctx.url : `mailto:noreply@${ctx.realm.host}`;
  const key = await loadVapidKey(ctx.app);
  // Not the job's time, because push services compare it with their own clocks.
  const now = Math.floor(ctx.app.clock.nowMilliseconds() / 1000);
  return {
    headers: {
      Authorization: await vapidAuthorization(key, target.to, contact, now),
      "Content-Encoding": "aes128gcm",
      "Content-Type": "application/octet-stream",
      TTL: String(keptSeconds),
      Urgency: payload.type === "remove" ? "normal" : "high",
    },
    body: await encryptForBrowser({ p256dh, auth }, Buffer.from(JSON.stringify(payload))),
  };
}

/**
 * A notification that is not encrypted: JSON, or the form of ntfy's app; undefined for a
 * withdrawal, which ntfy cannot show.
 */
export function plainRequest(ctx: JobContext, kind: string, payload: Payload): Posted | undefined {
  if (kind !== "ntfy") {
    return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(payload) };
  }
  if (payload.type === "remove") return undefined;
  if (payload.type === "test")
    return ntfyRequest(ctx.url, payload.realm_name, "Notifications arrive here.");
  return ntfyRequest(`${ctx.url}/${placeInPage(payload)}`, ntfyTitle(payload), payload.content);
}

/** Headers allow only ASCII, so the title is encoded (RFC 2047); ntfy decodes it. */
const ntfyRequest = (click: string, title: string, body: string): Posted => ({
  headers: { Title: `=?UTF-8?B?${Buffer.from(title).toString("base64")}?=`, Click: click },
  body,
});

function ntfyTitle(payload: MessagePayload): string {
  const { sender_full_name: sender } = payload;
  return payload.recipient_type === "channel"
    ? `${sender} (#${payload.channel_name} > ${payload.topic})`
    : sender;
}

function placeInPage(payload: MessagePayload): string {
  const place =
    payload.recipient_type === "channel"
      ? topicPath({ id: payload.channel_id, name: payload.channel_name }, namedTopic(payload.topic))
      : directPath(payload.recipient_user_ids);
  return `${place}/near/${payload.message_id}`;
}
