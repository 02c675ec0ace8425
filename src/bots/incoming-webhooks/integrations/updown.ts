import { each, type Integration } from "../integration";
import { pickText } from "../payload";

/** Webhooks of checks, which post a list of events. Source: updown.io/api, Webhooks. */
export const updown: Integration = {
  name: "updown",
  title: "Updown",
  listName: "events",
  event: ({ payload }) => pickText(payload, "0.event"),
  forms: each(
    "",
    [
      "check.down",
      "check.up",
      "check.still_down",
      "check.ssl_invalid",
      "check.ssl_valid",
      "check.ssl_expiration",
      "check.ssl_renewed",
      "check.performance_drop",
    ],
    {
      topic:
        "{?events.0.check.alias}{events.0.check.alias}{/events.0.check.alias}{^events.0.check.alias}{events.0.check.url}{/events.0.check.alias}",
      text: "{#events}{description}{?downtime.details_url} ([details]({downtime.details_url:url})){/downtime.details_url}\n{/events}",
    },
  ),
};
