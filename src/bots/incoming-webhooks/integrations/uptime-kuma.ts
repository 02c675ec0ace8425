import type { Integration } from "../integration";
import { pickText } from "../payload";

const monitor = "[{monitor.name|The monitor}]({monitor.url:url})";
const states: Record<string, string> = {
  "0": "down",
  "1": "up",
  "2": "pending",
  "3": "maintenance",
};

/**
 * Posts of Uptime Kuma's notification "Webhook". Source: its
 * server/notification-providers/webhook.js.
 */
export const uptimeKuma: Integration = {
  name: "uptimekuma",
  title: "Uptime Kuma",
  event({ payload }) {
    const status = pickText(payload, "heartbeat.status");
    if (status !== "") return states[status] ?? `status ${status}`;
    return pickText(payload, "msg") === "" ? "" : "message";
  },
  forms: {
    down: {
      topic: "{monitor.name|Uptime Kuma}",
      text: `:alert: ${monitor} is **down**{?heartbeat.msg}: {heartbeat.msg}{/heartbeat.msg}`,
    },
    up: {
      topic: "{monitor.name|Uptime Kuma}",
      text: `:check: ${monitor} is **up**{?heartbeat.msg}: {heartbeat.msg}{/heartbeat.msg}{?heartbeat.ping} ({heartbeat.ping} ms){/heartbeat.ping}`,
    },
    pending: {
      topic: "{monitor.name|Uptime Kuma}",
      text: `${monitor} is pending{?heartbeat.msg}: {heartbeat.msg}{/heartbeat.msg}`,
    },
    maintenance: { topic: "{monitor.name|Uptime Kuma}", text: `${monitor} is under maintenance.` },
    // A test of the notification, and the expiry of certificates.
    message: { topic: "{monitor.name|Uptime Kuma}", text: "{msg}" },
  },
};
