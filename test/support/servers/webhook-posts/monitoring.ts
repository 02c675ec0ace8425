import type { Post } from "./post";

/** Written after docs.datadoghq.com/integrations/webhooks, its default payload. */
const datadogAlert = {
  body: "%%%\nThe average of system.load.1 is above 2\n%%%",
  last_updated: "1700000000000",
  event_type: "query_alert_monitor",
  title: "[Triggered] Load is high on web-1",
  date: "1700000000000",
  org: { id: "1", name: "Acme" },
  id: "7",
};

/**
 * Written after the default payload of docs.newrelic.com, Workflows, as
 * docs.plural.sh/plural-features/workbenches/integrations/webhooks/new-relic shows it.
 */
const newRelicIssue = {
  id: "d1b1f3fd-995a-4066-88ab-8ce4f6960654",
  issueUrl: "https://radar-api.service.newrelic.com/accounts/1/issues/0ea2df1c",
  title: "Memory Used % > 90 for at least 2 minutes on 'checkout'",
  priority: "CRITICAL",
  impactedEntities: ["checkout"],
  totalIncidents: 1,
  state: "ACTIVATED",
  alertPolicyNames: ["Production"],
  alertConditionNames: ["Memory high"],
};

/** Written after airbrake.io/docs/integrations/webhooks, its sample. */
const airbrakeError = {
  error: {
    id: 37463546,
    error_message: "KitchenException: You are all out of bacon!",
    error_class: "KitchenException",
    file: "[PROJECT_ROOT]/app/controllers/bacon_controller.rb",
    line_number: 35,
    project: { id: 1111, name: "Baconator" },
    environment: "avocado",
    times_occurred: 118,
  },
  airbrake_error_url: "https://airbrake.io/airbrake-error-url",
};

/**
 * Written after raygun.com/documentation/product-guides/crash-reporting/integrations/webhooks; the
 * members of activities were not compared with a recorded post.
 */
const raygunError = {
  event: "error_notification",
  eventType: "NewErrorOccurred",
  error: {
    url: "http://app.raygun.com/error-url",
    message: "Null reference",
    usersAffected: 1,
    totalOccurrences: 1,
  },
  application: { name: "Shop", url: "http://app.raygun.io/application-url" },
};

/** Written after papertrail.com/help/alerts, Webhooks, and a recorded post. */
const papertrailSearch = {
  events: [
    {
      id: 7711561783320576,
      received_at: "2011-05-18T20:30:02-07:00",
      display_received_at: "May 18 20:30:02",
      source_name: "abc",
      hostname: "abc",
      program: "CROND",
      message: "message body",
    },
  ],
  saved_search: {
    id: 42,
    name: "Important stuff",
    query: "cron OR server1",
    html_edit_url: "https://papertrailapp.com/searches/42/edit",
    html_search_url: "https://papertrailapp.com/searches/42",
  },
};

/** Written after docs.splunk.com, Use a webhook alert action, its sample. */
const splunkAlert = {
  result: { host: "myserver", source: "/var/log/auth.log", _raw: "failed password" },
  sid: "scheduler_admin_search_W2_at_14232356_132",
  results_link: "http://web.example.local:8000/app/search/@go?sid=scheduler_admin_search_W2",
  search_name: "sudo failed",
  owner: "admin",
  app: "search",
};

/** Written after help.canary.tools, Webhooks, its post for trying. */
const canaryIncident = {
  Description: "SSH Login Attempt",
  Timestamp: "2026-02-02 14:10:14 (UTC)",
  CanaryName: "DummyDevice",
  CanaryID: "0000000testnode",
  SourceIP: "2.2.2.2",
  CanaryLocation: "Server room",
  ReverseDNS: "theattackers.ip.local",
  Intro: "This is a dummy incident.",
  AdditionalDetails: [["User", "root"]],
  AlertType: "CanaryIncident",
};

/** Written after github.com/thinkst/canarytokens, its models. */
const canarytoken = {
  token: "tm4uljrnw44z",
  token_type: "web",
  memo: "Recipes of the soup",
  manage_url: "https://canarytokens.org/manage?token=tm4uljrnw44z",
};

/** Written after github.com/errbit/errbit, its notification services and its problems. */
const errbitProblem = {
  url: "http://errbit.example.com/apps/5e1e/problems/5e1e8",
  app_name: "kitchen",
  environment: "production",
  error_class: "IllegalArgumentException",
  message: "Method not implemented",
  where: "soups#cook",
  notices_count: 3,
};

export const monitoringPosts: Post[] = [
  {
    integration: "datadog",
    what: "an alert",
    payload: datadogAlert,
    topic: "[Triggered] Load is high on web-1",
    text: "**[Triggered] Load is high on web-1**\n\n```quote\nThe average of system.load.1 is above 2\n```",
  },
  {
    integration: "newrelic",
    what: "an issue",
    payload: newRelicIssue,
    topic: "Memory high",
    text: "[Memory Used % > 90 for at least 2 minutes on 'checkout'](https://radar-api.service.newrelic.com/accounts/1/issues/0ea2df1c) is **open** (priority critical).\n\n* checkout",
  },
  {
    integration: "newrelic",
    what: "an issue is closed",
    payload: { ...newRelicIssue, state: "CLOSED", impactedEntities: [] },
    topic: "Memory high",
    text: "[Memory Used % > 90 for at least 2 minutes on 'checkout'](https://radar-api.service.newrelic.com/accounts/1/issues/0ea2df1c) is **closed** (priority critical).",
  },
  {
    integration: "airbrake",
    what: "an error",
    payload: airbrakeError,
    topic: "Baconator",
    text: "[KitchenException](https://airbrake.io/airbrake-error-url): KitchenException: You are all out of bacon!\n* In: `[PROJECT_ROOT]/app/controllers/bacon_controller.rb`, line 35\n* Environment: avocado\n* Occurred 118 times",
  },
  {
    integration: "raygun",
    what: "an error",
    payload: raygunError,
    topic: "Shop",
    text: "[Null reference](http://app.raygun.com/error-url): new error\n* Occurred 1 time\n* Users affected: 1",
  },
  {
    integration: "papertrail",
    what: "lines that a search has found",
    payload: papertrailSearch,
    topic: "logs",
    text: "[Important stuff](https://papertrailapp.com/searches/42) has found 1 event:\n\n* May 18 20:30:02 abc CROND: message body",
  },
  {
    integration: "splunk",
    what: "an alert",
    payload: splunkAlert,
    topic: "sudo failed",
    text: "Alert of the search [sudo failed](http://web.example.local:8000/app/search/@go?sid=scheduler_admin_search_W2) on `myserver` from `/var/log/auth.log`.\n\n```\nfailed password\n```",
  },
  {
    // Written after zulip.com/integrations/zabbix.
    integration: "zabbix",
    what: "a trigger",
    payload: {
      hostname: "www.example.com",
      severity: "Average",
      status: "PROBLEM",
      item: "Agent ping is Up (1)",
      trigger: "Zabbix agent on www.example.com is unreachable for 5 minutes",
      link: "https://zabbix.example.com/tr_events.php?triggerid=14032&eventid=10528",
    },
    topic: "www.example.com",
    text: "**PROBLEM** (Average): [Zabbix agent on www.example.com is unreachable for 5 minutes](https://zabbix.example.com/tr_events.php?triggerid=14032&eventid=10528)\n* Agent ping is Up (1)",
  },
  {
    integration: "thinkst",
    what: "an incident",
    payload: canaryIncident,
    topic: "canary alert - DummyDevice",
    text: "**:alert: SSH Login Attempt at 2026-02-02 14:10:14 (UTC)**\n\nThis is a dummy incident.\n\n* Source: `2.2.2.2`\n* Place: Server room\n* User: root",
  },
  {
    integration: "thinkst",
    what: "a token, which has no Canary",
    payload: {
      ...canaryIncident,
      CanaryName: undefined,
      CanaryLocation: undefined,
      AlertType: "CanarytokenIncident",
      Reminder: "test image",
      AdditionalDetails: { Field1: "VALUE1" },
    },
    topic: "canarytoken alert - test image",
    text: "**:alert: SSH Login Attempt at 2026-02-02 14:10:14 (UTC)**\n\nThis is a dummy incident.\n\n* Source: `2.2.2.2`",
  },
  {
    // Written after updown.io/api, Webhooks, its sample.
    integration: "updown",
    what: "a check is down",
    payload: [
      {
        event: "check.down",
        time: "2026-07-01T10:48:48Z",
        description: "DOWN: https://updown.io/ since 10:38:48 (UTC), reason: 418",
        check: { token: "xyz0", url: "https://updown.io", alias: null, down: true },
        downtime: { id: "6a44", details_url: "https://updown.io/downtimes/6a44" },
      },
    ],
    topic: "https://updown.io",
    text: "DOWN: https://updown.io/ since 10:38:48 (UTC), reason: 418 ([details](https://updown.io/downtimes/6a44))",
  },
  {
    integration: "canarytoken",
    what: "a token is used",
    payload: {
      ...canarytoken,
      channel: "HTTP",
      src_ip: "192.0.2.7",
      time: "2026-11-21 12:00:00 (UTC)",
      additional_data: { useragent: "curl/8" },
    },
    topic: "canarytoken alert - Recipes of the soup",
    text: "**:alert: A canarytoken was used at 2026-11-21 12:00:00 (UTC)**\n\nRecipes of the soup\n* Source: `192.0.2.7`\n* Way: HTTP\n* [Manage it](https://canarytokens.org/manage?token=tm4uljrnw44z)",
  },
  {
    integration: "canarytoken",
    what: "a token is exposed",
    payload: { ...canarytoken, key_id: "AKIA", exposed_time: "2026-11-21 12:00:00 (UTC)" },
    topic: "canarytoken alert - Recipes of the soup",
    text: "**:alert: A canarytoken was exposed at 2026-11-21 12:00:00 (UTC)**\n\nRecipes of the soup\n* [Manage it](https://canarytokens.org/manage?token=tm4uljrnw44z)",
  },
  {
    integration: "errbit",
    what: "a problem, whose JSON is a field of a form",
    payload: { problem: JSON.stringify(errbitProblem) },
    isForm: true,
    topic: "kitchen / production",
    text: '[IllegalArgumentException](http://errbit.example.com/apps/5e1e/problems/5e1e8): "Method not implemented" in `soups#cook`, 3 times so far.',
  },
  {
    integration: "errbit",
    what: "a problem of an older version, as JSON",
    payload: { problem: { ...errbitProblem, error_class: null, klass: "Burnt", where: null } },
    topic: "kitchen / production",
    text: '[Burnt](http://errbit.example.com/apps/5e1e/problems/5e1e8): "Method not implemented", 3 times so far.',
  },
];
