import type { Post } from "./post";

const post = (
  integration: string,
  what: string,
  payload: object,
  topic?: string,
  text?: string,
  headers = {},
): Post => ({
  what,
  integration,
  headers,
  payload,
  ...(topic === undefined ? {} : { topic }),
  ...(text === undefined ? {} : { text }),
});

/** Written after docs.sentry.io, Integration Platform, Webhooks. */
const sentryIssue = {
  id: "1170820242",
  title: "ReferenceError: soup is not defined",
  culprit: "serve(kitchen/soup)",
  level: "error",
  count: "4",
  web_url: "https://kitchen.sentry.io/issues/1170820242/",
  project: { name: "soup" },
};
const actor = { type: "user", id: 1, name: "Octo" };
const sentry = (what: string, resource: string, payload: object, topic?: string, text?: string) =>
  post("sentry", what, payload, topic, text, { "sentry-hook-resource": resource });

export const sentryPosts: Post[] = [
  sentry(
    "alert",
    "event_alert",
    {
      action: "triggered",
      actor,
      data: {
        triggered_rule: "Errors",
        event: {
          title: "ReferenceError: soup is not defined",
          culprit: "serve(kitchen/soup)",
          level: "error",
          environment: "production",
          datetime: "2026-11-21T12:00:00.123000Z",
          web_url: "https://kitchen.sentry.io/issues/117/events/1/",
          message: "line 1\n```",
        },
      },
    },
    "ReferenceError: soup is not defined",
    "**Errors**: [ReferenceError: soup is not defined](https://kitchen.sentry.io/issues/117/events/1/)\n* Level: error\n* In: `serve(kitchen/soup)`\n* Environment: production\n* Time: <time:2026-11-21T12:00:00Z>\n\n````\nline 1\n```\n````",
  ),
  sentry(
    "new issue",
    "issue",
    { action: "created", actor, data: { issue: sentryIssue } },
    "soup / ReferenceError: soup is not defined",
    "New issue: [ReferenceError: soup is not defined](https://kitchen.sentry.io/issues/1170820242/)\n* Level: error\n* In: `serve(kitchen/soup)`\n* Seen: 4 times",
  ),
  sentry(
    "resolved issue",
    "issue",
    { action: "resolved", actor, data: { issue: sentryIssue } },
    "soup / ReferenceError: soup is not defined",
    "Octo resolved [ReferenceError: soup is not defined](https://kitchen.sentry.io/issues/1170820242/).",
  ),
  sentry(
    "assigned issue",
    "issue",
    {
      action: "assigned",
      actor,
      data: { issue: { ...sentryIssue, assignedTo: { name: "Hubot" } } },
    },
    "soup / ReferenceError: soup is not defined",
    "Octo assigned [ReferenceError: soup is not defined](https://kitchen.sentry.io/issues/1170820242/) (Hubot).",
  ),
  sentry(
    "metric alert",
    "metric_alert",
    {
      action: "critical",
      data: {
        metric_alert: { alert_rule: { name: "Too many errors" } },
        description_title: "Critical: Too many errors",
        description_text: "1000 events in the last 10 minutes",
        web_url: "https://kitchen.sentry.io/alerts/1/",
      },
    },
    "Too many errors",
    "**:alert: Critical:** [Critical: Too many errors](https://kitchen.sentry.io/alerts/1/): 1000 events in the last 10 minutes",
  ),
  sentry(
    "comment",
    "comment",
    { action: "created", actor, data: { comment: "Looking", issue_id: 117, project_slug: "soup" } },
    "soup / issue 117",
    "Octo commented on issue 117:\n\n```quote\nLooking\n```",
  ),
  sentry(
    "installation",
    "installation",
    { action: "created", data: { installation: { organization: { slug: "kitchen" } } } },
    "Sentry",
    "The integration was created for kitchen.",
  ),
];

/** Written after grafana.com/docs, Configure the webhook notifier for Alerting. */
const alert = {
  status: "firing",
  labels: { alertname: "Soup is cold", instance: "pot-1:9100", severity: "critical" },
  startsAt: "2026-11-21T12:00:00.5+01:00",
  annotations: { summary: "Pot 1 is at 20 °C", description: "Light the\nstove" },
  generatorURL: "https://grafana.example.com/alerting/1/edit",
};

export const grafanaPosts: Post[] = [
  post(
    "grafana",
    "firing alert",
    {
      receiver: "chat",
      status: "firing",
      groupLabels: { alertname: "Soup is cold" },
      commonLabels: {},
      alerts: [{ ...alert, silenceURL: "https://grafana.example.com/alerting/silence/new" }],
    },
    "Soup is cold",
    ":alert: Firing: **1 alert**\n\n* :alert: Firing: [Soup is cold](https://grafana.example.com/alerting/1/edit) on `pot-1:9100`: Pot 1 is at 20 °C, since <time:2026-11-21T11:00:00Z> ([silence](https://grafana.example.com/alerting/silence/new))\n```quote\nLight the\nstove\n```",
  ),
  post(
    "grafana",
    "resolved alerts",
    {
      status: "resolved",
      groupLabels: {},
      commonLabels: { alertname: "Soup" },
      alerts: [
        { status: "resolved", labels: {}, annotations: {} },
        {
          status: "resolved",
          labels: { alertname: "Salt" },
          startsAt: "0001-01-01T00:00:00Z",
        },
      ],
    },
    "Soup",
    ":check: Resolved: **2 alerts**\n\n* :check: Resolved: Alert\n* :check: Resolved: Salt",
  ),
  post(
    "grafana",
    "alert of the older form",
    {
      ruleName: "Soup",
      ruleUrl: "https://grafana.example.com/d/1",
      state: "alerting",
      title: "[Alerting] Soup",
      message: "It is cold",
      evalMatches: [{ metric: "pot", value: 20 }],
    },
    "Soup",
    ":alert: [[Alerting] Soup](https://grafana.example.com/d/1)\n\n```quote\nIt is cold\n```\n* pot: 20",
  ),
];

/** Written after prometheus.io, Alerting, Configuration, webhook_config. */
export const alertmanagerPosts: Post[] = [
  post(
    "alertmanager",
    "firing and resolved alerts",
    {
      version: "4",
      receiver: "chat",
      status: "firing",
      groupLabels: { alertname: "Soup is cold" },
      commonLabels: {},
      externalURL: "https://alerts.example.com",
      alerts: [alert, { ...alert, status: "resolved", annotations: {} }],
    },
    "Soup is cold",
    "**2 alerts** of `chat` ([open](https://alerts.example.com/))\n\n* :alert: **Firing** [Soup is cold](https://grafana.example.com/alerting/1/edit) (critical) on `pot-1:9100`: Pot 1 is at 20 °C\n```quote\nLight the\nstove\n```\n* :check: **Resolved** [Soup is cold](https://grafana.example.com/alerting/1/edit) (critical) on `pot-1:9100`",
  ),
  post(
    "alertmanager",
    "alert with little in it",
    { status: "resolved", alerts: [{ status: "resolved" }] },
    "Alerts",
    "**1 alert** of Alertmanager\n\n* :check: **Resolved** Alert",
  ),
];

/** Written after developer.pagerduty.com, Webhooks V3. */
const agent = {
  id: "PLH1HKV",
  summary: "Octo Cat",
  html_url: "https://kitchen.pagerduty.com/users/PLH1HKV",
};
const incident = {
  number: 2,
  title: "Soup is cold",
  urgency: "high",
  html_url: "https://kitchen.pagerduty.com/incidents/PGR0VU2",
  service: { summary: "Stove" },
  assignees: [agent],
};
const pager = (what: string, event_type: string, data: object, topic?: string, text?: string) =>
  post("pagerduty", what, { event: { id: "1", event_type, agent, data } }, topic, text);

export const pagerdutyPosts: Post[] = [
  pager(
    "triggered incident",
    "incident.triggered",
    incident,
    "Stove",
    ":alert: high urgency incident [#2 Soup is cold](https://kitchen.pagerduty.com/incidents/PGR0VU2) was triggered; it is assigned to [Octo Cat](https://kitchen.pagerduty.com/users/PLH1HKV).",
  ),
  pager(
    "acknowledged incident",
    "incident.acknowledged",
    incident,
    "Stove",
    "Acknowledged: incident [#2 Soup is cold](https://kitchen.pagerduty.com/incidents/PGR0VU2) by [Octo Cat](https://kitchen.pagerduty.com/users/PLH1HKV).",
  ),
  pager(
    "resolved incident",
    "incident.resolved",
    incident,
    "Stove",
    ":check: Resolved: incident [#2 Soup is cold](https://kitchen.pagerduty.com/incidents/PGR0VU2) by [Octo Cat](https://kitchen.pagerduty.com/users/PLH1HKV).",
  ),
  pager(
    "reassigned incident",
    "incident.reassigned",
    incident,
    "Stove",
    "Reassigned: incident [#2 Soup is cold](https://kitchen.pagerduty.com/incidents/PGR0VU2) by [Octo Cat](https://kitchen.pagerduty.com/users/PLH1HKV), to [Octo Cat](https://kitchen.pagerduty.com/users/PLH1HKV).",
  ),
  pager(
    "note",
    "incident.annotated",
    { incident: { summary: "Soup is cold", html_url: incident.html_url }, content: "On it" },
    "Soup is cold",
    "A note on [Soup is cold](https://kitchen.pagerduty.com/incidents/PGR0VU2) by [Octo Cat](https://kitchen.pagerduty.com/users/PLH1HKV):\n\n```quote\nOn it\n```",
  ),
  pager(
    "test",
    "pagey.ping",
    { message: "Hello from your friend Pagey!" },
    "PagerDuty",
    "PagerDuty webhook is configured.",
  ),
];

/** Written after what Uptime Kuma's notification of the type Webhook posts. */
const monitor = { id: 1, name: "Kitchen", url: "https://kitchen.example.com/" };

export const uptimeKumaPosts: Post[] = [
  post(
    "uptimekuma",
    "down",
    {
      heartbeat: {
        monitorID: 1,
        status: 0,
        msg: "timeout of 48000ms exceeded",
        time: "2026-11-21 12:00:00",
      },
      monitor,
      msg: "[Kitchen] [🔴 Down] timeout",
    },
    "Kitchen",
    ":alert: [Kitchen](https://kitchen.example.com/) is **down**: timeout of 48000ms exceeded",
  ),
  post(
    "uptimekuma",
    "up",
    {
      heartbeat: { status: 1, msg: "200 - OK", ping: 12 },
      monitor,
      msg: "[Kitchen] [✅ Up] 200 - OK",
    },
    "Kitchen",
    ":check: [Kitchen](https://kitchen.example.com/) is **up**: 200 - OK (12 ms)",
  ),
  post(
    "uptimekuma",
    "test",
    { heartbeat: null, monitor: null, msg: "Chat Testing" },
    "Uptime Kuma",
    "Chat Testing",
  ),
];

/** Written after docs.stripe.com/api/events/types. */
const stripe = (what: string, type: string, object: object, topic?: string, text?: string) =>
  post("stripe", what, { id: "evt_1", object: "event", type, data: { object } }, topic, text);

export const stripePosts: Post[] = [
  stripe(
    "charge",
    "charge.succeeded",
    { id: "ch_1", amount: 1050, currency: "eur", customer: "cus_1" },
    "charges",
    "[Charge](https://dashboard.stripe.com/payments/ch_1) of 10.50 EUR for [cus_1](https://dashboard.stripe.com/customers/cus_1) succeeded.",
  ),
  stripe(
    "failed charge",
    "charge.failed",
    {
      id: "ch_1",
      amount: 500,
      currency: "jpy",
      customer: null,
      failure_message: "Your card was declined.",
    },
    "charges",
    "[Charge](https://dashboard.stripe.com/payments/ch_1) of 500 JPY failed: Your card was declined.",
  ),
  stripe(
    "refund of a part",
    "charge.refunded",
    { id: "ch_1", amount: 2000, amount_refunded: 100, refunded: false, currency: "eur" },
    "charges",
    "1.00 EUR of the [charge](https://dashboard.stripe.com/payments/ch_1) of 20.00 EUR has been refunded.",
  ),
  stripe(
    "failed payment",
    "payment_intent.payment_failed",
    {
      id: "pi_1",
      amount: 2000,
      currency: "usd",
      last_payment_error: { message: "Insufficient funds." },
    },
    "payments",
    "[Payment](https://dashboard.stripe.com/payments/pi_1) of 20.00 USD failed: Insufficient funds.",
  ),
  stripe(
    "dispute",
    "charge.dispute.created",
    { id: "dp_1", amount: 1000, currency: "usd", reason: "fraudulent", status: "needs_response" },
    "disputes",
    "[Dispute](https://dashboard.stripe.com/disputes/dp_1) over 10.00 USD was opened (needs response): fraudulent.",
  ),
  stripe(
    "new customer",
    "customer.created",
    { id: "cus_1", name: "Octo", email: "octo@example.com" },
    "customers",
    "[Customer Octo](https://dashboard.stripe.com/customers/cus_1) was added (`octo@example.com`).",
  ),
  stripe(
    "new subscription",
    "customer.subscription.created",
    { id: "sub_1", customer: "cus_1", status: "active" },
    "subscriptions",
    "[Subscription](https://dashboard.stripe.com/subscriptions/sub_1) for [cus_1](https://dashboard.stripe.com/customers/cus_1) has begun (it is active now).",
  ),
  stripe(
    "end of a trial",
    "customer.subscription.trial_will_end",
    { id: "sub_1", customer: "cus_1", trial_end: 1_795_262_400 },
    "subscriptions",
    "The trial of [subscription](https://dashboard.stripe.com/subscriptions/sub_1) for [cus_1](https://dashboard.stripe.com/customers/cus_1) ends <time:2026-11-21T12:00:00Z>.",
  ),
  stripe(
    "paid invoice",
    "invoice.paid",
    { id: "in_1", number: "A-0001", amount_due: 1999, currency: "usd", customer: "cus_1" },
    "invoices",
    "[Invoice A-0001](https://dashboard.stripe.com/invoices/in_1) over 19.99 USD for [cus_1](https://dashboard.stripe.com/customers/cus_1) was paid.",
  ),
  stripe(
    "completed checkout",
    "checkout.session.completed",
    {
      id: "cs_1",
      amount_total: 2500,
      currency: "eur",
      customer_details: { email: "octo@example.com" },
    },
    "payments",
    "A checkout of 25.00 EUR was completed by `octo@example.com`.",
  ),
  stripe(
    "payout",
    "payout.paid",
    { id: "po_1", amount: 100_000, currency: "usd" },
    "payouts",
    "[Payout](https://dashboard.stripe.com/payouts/po_1) of 1000.00 USD was paid.",
  ),
  stripe("begun payment", "payment_intent.created", { id: "pi_1", amount: 2000, currency: "usd" }),
];
