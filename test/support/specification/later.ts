import { each } from "./shown";

/** What of the outside world chatd does not speak with yet, and its rows. */
export const later: Record<string, string[]> = {
  "outgoing webhooks": [
    "endpoint: POST /service-outgoing-webhook",
    ...each("parameter: POST /service-outgoing-webhook", "bot_email bot_full_name data trigger direct_message mention"),
    ...each("parameter: POST /service-outgoing-webhook", "token message"),
    "field: Message object rendered_content",
    "authentication: 3. Outgoing-webhook calls carry a per-bot token",
  ],
  "push devices": [
    "field: Device record device_id",
    "endpoint: POST /remove_client_device",
    "parameter: POST /remove_client_device device_id",
    "endpoint: POST /mobile_push/e2ee/test_notification",
    "parameter: POST /mobile_push/e2ee/test_notification device_id",
    ...["event: device", "event: push_device"],
    "error: NO_ACTIVE_PUSH_DEVICE: test notification with no registered device",
    "error: ADMIN_ACTION_REQUIRED: server push configuration problem (invalid credentials, expired plan, unregistered organization)",
    "error: FAILED_TO_CONNECT_BOUNCER: network error reaching the push notification relay",
    "error: INTERNAL_SERVER_ERROR_ON_BOUNCER: 5xx at the push relay",
    ...["version: 450", "version: 420"],
  ],
};
