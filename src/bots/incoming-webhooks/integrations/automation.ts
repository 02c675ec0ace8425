import type { Integration } from "../integration";
import { pickText } from "../payload";

/* Services that post what people have automated there: a topic, and a text in Markdown. */

const messageForm = (title: string) => ({
  topic: `{topic|${title}}`,
  text: "{content:markdown}",
});

const isQuestion = (payload: unknown) => pickText(payload, "type") === "auth";

/**
 * Its app for this protocol, which first asks whose key it has, and "Webhooks by Zapier" with the
 * action POST. Source: zulip.com/integrations/zapier.
 */
export const zapier: Integration = {
  name: "zapier",
  title: "Zapier",
  event: ({ payload }) =>
    pickText(payload, "content") ? "message" : isQuestion(payload) ? "auth" : "",
  introduce: ({ payload }, { id, email, fullName }) =>
    isQuestion(payload) ? { id, email, full_name: fullName } : undefined,
  forms: { message: messageForm("Zapier"), auth: null },
};

/** Its action "Make a web request". Source: zulip.com/integrations/ifttt. */
export const ifttt: Integration = {
  name: "ifttt",
  title: "IFTTT",
  event: ({ payload }) => pickText(payload, "content") && "message",
  forms: { message: messageForm("IFTTT") },
};

/**
 * Its notify platform RESTful, with the method POST_JSON or POST, and `title_param_name: topic`.
 * Source: home-assistant.io/integrations/notify.rest.
 */
export const homeAssistant: Integration = {
  name: "homeassistant",
  title: "Home Assistant",
  event: ({ payload }) => pickText(payload, "message") && "message",
  forms: { message: { topic: "{topic|homeassistant}", text: "{message:markdown}" } },
};
