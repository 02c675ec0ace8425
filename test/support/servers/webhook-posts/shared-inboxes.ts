import type { Post } from "./post";

/** Written after dev.frontapp.com/reference/events. */
const ada = { id: "tea_1", email: "ada@example.com", first_name: "Ada", last_name: "Cook" };
const frontEvent = (type: string, more: object) => ({
  id: "evt_55c8c149",
  type,
  emitted_at: 1453770984.123,
  conversation: {
    id: "cnv_55c8c149",
    subject: "You broke my heart, Hubert.",
    status: "archived",
    recipient: { handle: "calculon@example.com", role: "to" },
  },
  source: { _meta: { type: "teammate" }, data: ada },
  ...more,
});
const shownConversation =
  "[You broke my heart, Hubert.](https://app.frontapp.com/open/cnv_55c8c149)";

/** Written after help.transifex.com, Webhooks, its examples. */
const transifexPost = (event: string, done: object) => ({
  project: "project_slug",
  resource: "resource_slug",
  event,
  language: "de",
  ...done,
});

/** Written after learn.microsoft.com, Common alert schema, and recorded posts. */
const azureAlert = (monitorCondition: string, more: object) => ({
  schemaId: "azureMonitorCommonAlertSchema",
  data: {
    essentials: {
      alertId: "/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/b9569717",
      alertRule: "WCUS-R2-Gen2",
      severity: "Sev3",
      signalType: "Metric",
      monitorCondition,
      monitoringService: "Platform",
      configurationItems: ["wcus-r2-gen2"],
      firedDateTime: "2019-03-22T13:58:24.3713213Z",
      ...more,
    },
    alertContext: {},
  },
});

export const supportingPosts: Post[] = [
  {
    integration: "front",
    what: "a message comes",
    payload: frontEvent("inbound", {
      source: { _meta: { type: "inboxes" }, data: [{ id: "inb_1", name: "Support" }] },
      target: { _meta: { type: "message" }, data: { id: "msg_1", blurb: "Anything less" } },
    }),
    topic: "cnv_55c8c149",
    text: `A message of calculon@example.com in ${shownConversation}:\n\n\`\`\`quote\nAnything less\n\`\`\``,
  },
  {
    integration: "front",
    what: "a message is sent",
    payload: frontEvent("outbound", {}),
    topic: "cnv_55c8c149",
    text: `A message to calculon@example.com in ${shownConversation}.`,
  },
  {
    integration: "front",
    what: "a conversation is assigned",
    payload: frontEvent("assign", {
      target: { _meta: { type: "teammate" }, data: { ...ada, first_name: "Bob" } },
    }),
    topic: "cnv_55c8c149",
    text: `Ada Cook assigned ${shownConversation} to Bob Cook.`,
  },
  {
    integration: "front",
    what: "a rule archives a conversation",
    payload: frontEvent("archive", {
      source: { _meta: { type: "rule" }, data: { id: "rul_1", name: "Old letters" } },
    }),
    topic: "cnv_55c8c149",
    text: `Old letters archived ${shownConversation}.`,
  },
  {
    integration: "front",
    what: "a comment",
    payload: frontEvent("comment", {
      target: { _meta: { type: "comment" }, data: { id: "com_1", body: "I take it" } },
    }),
    topic: "cnv_55c8c149",
    text: `Ada Cook commented on ${shownConversation}:\n\n\`\`\`quote\nI take it\n\`\`\``,
  },
  {
    integration: "front",
    what: "a tag",
    payload: frontEvent("tag", {
      target: { _meta: { type: "tag" }, data: { id: "tag_1", name: "urgent" } },
    }),
    topic: "cnv_55c8c149",
    text: `Ada Cook tagged ${shownConversation} with \`urgent\`.`,
  },
  {
    integration: "transifex",
    what: "a resource is translated",
    payload: transifexPost("translation_completed", { translated: 100 }),
    topic: "project_slug in de",
    text: "All of the resource `resource_slug` is **translated**.",
  },
  {
    integration: "transifex",
    what: "a resource is reviewed, as a form",
    payload: transifexPost("review_completed", { reviewed: "100" }),
    isForm: true,
    topic: "project_slug in de",
    text: "All of the resource `resource_slug` is **reviewed**.",
  },
  {
    integration: "azuremonitor",
    what: "an alert fires",
    payload: azureAlert("Fired", {
      description: "Too hot",
      investigationLink: "https://portal.azure.com/#view/alert",
    }),
    topic: "WCUS-R2-Gen2",
    text: ":alert: **WCUS-R2-Gen2** (Sev3, Metric) has **fired**.\n* `wcus-r2-gen2`\n* [Look into it](https://portal.azure.com/#view/alert)\n\n```quote\nToo hot\n```",
  },
  {
    integration: "azuremonitor",
    what: "an alert is resolved",
    payload: azureAlert("Resolved", {}),
    topic: "WCUS-R2-Gen2",
    text: ":check: **WCUS-R2-Gen2** (Sev3, Metric) is **resolved**.\n* `wcus-r2-gen2`",
  },
];
