import type { Integration } from "../integration";
import { pickText } from "../payload";

/* Services that pass on what people let them: a topic and a text, which people write there. */

const relay = (name: string, title: string): Integration => ({
  name,
  title,
  event: ({ payload }) =>
    pickText(payload, "content") ? "message" : pickText(payload, "type") === "auth" ? "auth" : "",
  forms: {
    message: { topic: `{topic|${title}}`, text: "{content:lines}" },
    // A question whether the key is right, to which the status is the answer.
    auth: null,
  },
});

/** "Webhooks by Zapier", action POST. Source: zulip.com/integrations/zapier. */
export const zapier = relay("zapier", "Zapier");

/** Its action "Make a web request". Source: zulip.com/integrations/ifttt. */
export const ifttt = relay("ifttt", "IFTTT");
