import type { Post } from "./post";

/** Written after support.atlassian.com/statuspage/docs/enable-webhook-notifications. */
const page = {
  id: "j2mfxwj97wnj",
  status_indicator: "major",
  status_description: "Partial System Outage",
};
const incident = {
  name: "Virginia Is Down",
  status: "identified",
  shortlink: "http://stspg.io/803310a12",
  incident_updates: [{ body: "A message", status: "identified" }],
};
const component = { id: "rb5wq1dczvbm", name: "Some Component", status: "major_outage" };

/** Written after rollbar.com/docs/webhooks, its sample of a new item. */
const rollbarItem = {
  id: 272716944,
  environment: "production",
  title: "testing aobg98wrwe",
  counter: 4,
  level: 40,
  status: 1,
  total_occurrences: 10,
};

/** Written after docs.honeybadger.io/guides/integrations/payloads/v2. */
const honeybadgerFault = {
  event: "occurred",
  message: "[Crywolf/test] RuntimeError - oops",
  project: { id: 1717, name: "Crywolf" },
  fault: {
    id: 3151009,
    klass: "RuntimeError",
    message: "oops",
    environment: "test",
    url: "https://app.honeybadger.io/projects/1717/faults/3151009",
  },
};

/** Written after support.atlassian.com/opsgenie, Webhook integration, its sample of Create. */
const opsgenieAlert = {
  action: "Create",
  alert: {
    alertId: "052652ac-5d1c-464a-812a-7dd18bbfba8c",
    message: "test alert",
    tags: ["tag1", "tag2"],
    tinyId: "23",
    entity: "An example entity",
    username: "fili@ifountain.com",
  },
  integrationName: "Webhook1",
};

/** Written after pingdom.com/resources/webhooks, its sample of an HTTP check. */
const pingdomCheck = {
  check_id: 12345,
  check_name: "Name of HTTP check",
  check_type: "HTTP",
  check_params: { hostname: "www.example.com", full_url: "https://www.example.com/path" },
  previous_state: "UP",
  current_state: "DOWN",
  long_description: "Long error message",
  description: "Short error message",
};

/** Written after uptimerobot.com/help, Web-hook notifications, its variables as JSON. */
const uptimeRobotAlert = {
  monitor_url: "https://www.example.com",
  monitor_friendly_name: "Web Server",
  alert_type: "1",
  alert_type_friendly_name: "Down",
  alert_details: "Connection Timeout",
  alert_friendly_duration: "5 minutes",
};

export const watchingPosts: Post[] = [
  {
    integration: "statuspage",
    what: "an incident",
    payload: { page, incident },
    topic: "Virginia Is Down: Partial System Outage",
    text: "**Virginia Is Down**:\n* State: **identified**\n* Description: A message\n* [Page of the incident](http://stspg.io/803310a12)",
  },
  {
    integration: "statuspage",
    what: "a component changes",
    payload: {
      page,
      component,
      component_update: { old_status: "operational", new_status: "major_outage" },
    },
    topic: "Some Component: Partial System Outage",
    text: "**Some Component** has changed status from **operational** to **major outage**.",
  },
  {
    integration: "rollbar",
    what: "a new item",
    payload: { event_name: "new_item", data: { item: rollbarItem } },
    topic: "production: testing aobg98wrwe",
    text: "New item: **#4 testing aobg98wrwe** (error)",
  },
  {
    integration: "rollbar",
    what: "the tenth occurrence",
    payload: { event_name: "exp_repeat_item", data: { item: rollbarItem, occurrences: 100 } },
    topic: "production: testing aobg98wrwe",
    text: "**#4 testing aobg98wrwe** has occurred 100 times.",
  },
  {
    integration: "rollbar",
    what: "an occurrence",
    payload: { event_name: "occurrence", data: { item: rollbarItem } },
  },
  {
    integration: "honeybadger",
    what: "a fault has occurred",
    payload: honeybadgerFault,
    topic: "Crywolf: RuntimeError",
    text: "[RuntimeError](https://app.honeybadger.io/projects/1717/faults/3151009) in Crywolf (test): oops",
  },
  {
    integration: "honeybadger",
    what: "a comment on several faults, which names none",
    payload: {
      event: "commented",
      message: "[Crywolf/production] Joshua Wood commented on RuntimeError",
      actor: { id: 3, email: "josh@example.com", name: "Joshua Wood" },
      project: honeybadgerFault.project,
      fault_ids: [3151009],
    },
    topic: "Crywolf: errors",
    text: "[Crywolf/production] Joshua Wood commented on RuntimeError",
  },
  {
    integration: "honeybadger",
    what: "a certificate expires soon",
    payload: {
      event: "cert_will_expire",
      message: "[Crywolf] The certificate of Main will expire",
      project: honeybadgerFault.project,
      site: { name: "Main" },
    },
    topic: "Crywolf: Main",
    text: ":warning: [Crywolf] The certificate of Main will expire",
  },
  {
    integration: "opsgenie",
    what: "somebody takes an alert, which has no owner yet",
    payload: { ...opsgenieAlert, action: "TakeOwnership" },
    topic: "test alert",
    text: "fili@ifountain.com owns [test alert](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details).",
  },
  {
    integration: "opsgenie",
    what: "tags are added",
    payload: { ...opsgenieAlert, action: "AddTags" },
  },
  {
    integration: "opsgenie",
    what: "a new alert",
    payload: opsgenieAlert,
    topic: "test alert",
    text: "New alert: [test alert](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details)\n* Entity: An example entity",
  },
  {
    integration: "opsgenie",
    what: "an alert is closed",
    payload: { ...opsgenieAlert, action: "Close" },
    topic: "test alert",
    text: "fili@ifountain.com closed [test alert](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details).",
  },
  {
    integration: "pingdom",
    what: "a check is down",
    payload: pingdomCheck,
    topic: "Name of HTTP check status.",
    text: "Service www.example.com changed its HTTP status from UP to **DOWN**:\n\n```quote\nLong error message\n```",
  },
  {
    integration: "pingdom",
    what: "a transaction, which has no host",
    payload: { ...pingdomCheck, check_type: "TRANSACTION", check_params: {}, long_description: "" },
    topic: "Name of HTTP check status.",
    text: "Service Name of HTTP check changed its TRANSACTION status from UP to **DOWN**.",
  },
  {
    integration: "uptimerobot",
    what: "a monitor is up, by the names of the variables",
    payload: {
      monitorURL: "https://www.example.com",
      monitorFriendlyName: "Web Server",
      alertTypeFriendlyName: "Up",
      alertDetails: "OK",
    },
    topic: "Web Server",
    text: "[Web Server](https://www.example.com/) is **Up** (OK).",
  },
  {
    integration: "uptimerobot",
    what: "a monitor is down",
    payload: uptimeRobotAlert,
    topic: "Web Server",
    text: "[Web Server](https://www.example.com/) is **Down** (Connection Timeout) after 5 minutes.",
  },
];
