import { isRecord } from "../../../core/record";
import { each, type Integration } from "../integration";
import { pick, pickText } from "../payload";

/* Services that watch others: whether they answer, and which errors they have. */

/** Webhooks of a status page. Source: support.atlassian.com/statuspage, Enable webhook notifications. */
export const statuspage: Integration = {
  name: "statuspage",
  title: "Statuspage",
  event: ({ payload }) =>
    ["incident", "component_update"].find((one) => isRecord(pick(payload, one))) ?? "",
  forms: {
    incident: {
      topic: "{incident.name}: {page.status_description}",
      text: "**{incident.name}**:\n* State: **{incident.status:words}**\n* Description: {incident.incident_updates.0.body|none}{?incident.shortlink}\n* [Page of the incident]({incident.shortlink:url}){/incident.shortlink}",
    },
    component_update: {
      topic: "{component.name}: {page.status_description}",
      text: "**{component.name}** has changed status from **{component_update.old_status:words}** to **{component_update.new_status:words}**.",
    },
  },
};

const rollbarItem = "#{data.item.counter} {data.item.title}";
const rollbarTopic = "{data.item.environment|Rollbar}: {data.item.title}";

/** Webhooks of a project. Source: docs.rollbar.com, Webhooks. */
export const rollbar: Integration = {
  name: "rollbar",
  title: "Rollbar",
  event: ({ payload }) => pickText(payload, "event_name"),
  forms: {
    new_item: {
      topic: rollbarTopic,
      text: `New item: **${rollbarItem}** ({data.item.level:say})`,
    },
    reactivated_item: { topic: rollbarTopic, text: `**${rollbarItem}** is active again.` },
    resolved_item: { topic: rollbarTopic, text: `**${rollbarItem}** is resolved.` },
    reopened_item: { topic: rollbarTopic, text: `**${rollbarItem}** was opened again.` },
    exp_repeat_item: {
      topic: rollbarTopic,
      text: `**${rollbarItem}** has occurred {data.item.total_occurrences} times.`,
    },
    item_velocity: { topic: rollbarTopic, text: `**${rollbarItem}** occurs often.` },
    occurrence: null,
    deploy: {
      topic: "deploys",
      text: "{data.deploy.comment|Deployed}: {data.deploy.revision:short} to {data.deploy.environment}.",
    },
    test: { topic: "Rollbar", text: "Rollbar can post here: {data.message|the webhook works}." },
  },
  words: { "50": "critical", "40": "error", "30": "warning", "20": "info", "10": "debug" },
};

const fault = "[{fault.klass}]({fault.url:url}) in {project.name} ({fault.environment})";
const faultTopic = "{project.name|Honeybadger}: {fault.klass}";

/** Webhooks of a project. Source: docs.honeybadger.io, Webhook payloads. */
export const honeybadger: Integration = {
  name: "honeybadger",
  title: "Honeybadger",
  event: ({ payload }) => pickText(payload, "event"),
  forms: {
    occurred: { topic: faultTopic, text: `${fault}: {fault.message}` },
    resolved: { topic: faultTopic, text: `${fault} is resolved.` },
    unresolved: { topic: faultTopic, text: `${fault} is no longer resolved.` },
    assigned: { topic: faultTopic, text: `${fault} is assigned to {assignee.name|somebody}.` },
    commented: { topic: faultTopic, text: `{author.name|Somebody} commented on ${fault}.` },
    rate_exceeded: { topic: faultTopic, text: `${fault} occurs too often: {message}` },
    down: {
      topic: "{project.name|Honeybadger}: {site.name}",
      text: ":alert: [{site.name}]({site.url:url}) is **down**.",
    },
    up: {
      topic: "{project.name|Honeybadger}: {site.name}",
      text: ":check: [{site.name}]({site.url:url}) is **up**.",
    },
    deployed: { topic: "{project.name|Honeybadger}: deploys", text: "{message}" },
    check_in_missing: { topic: "{project.name|Honeybadger}: check-ins", text: ":alert: {message}" },
    check_in_reporting: {
      topic: "{project.name|Honeybadger}: check-ins",
      text: ":check: {message}",
    },
  },
};

const opsgenieAlert =
  "[{alert.message}](https://app.opsgenie.com/alert/detail/{alert.alertId:segment}/details)";
const opsgenieAbout =
  "{?alert.entity}\n* Entity: {alert.entity}{/alert.entity}{?alert.description}\n\n{alert.description:quote}{/alert.description}";
const opsgenieTopic = "{alert.message|Opsgenie}";

/** Webhook integration. Source: support.atlassian.com/opsgenie, Webhook integration. */
export const opsgenie: Integration = {
  name: "opsgenie",
  title: "Opsgenie",
  event: ({ payload }) => pickText(payload, "alert.alertId") && pickText(payload, "action"),
  forms: {
    Create: { topic: opsgenieTopic, text: `New alert: ${opsgenieAlert}${opsgenieAbout}` },
    Close: { topic: opsgenieTopic, text: `{alert.username|Somebody} closed ${opsgenieAlert}.` },
    Acknowledge: {
      topic: opsgenieTopic,
      text: `{alert.username|Somebody} acknowledged ${opsgenieAlert}.`,
    },
    UnAcknowledge: {
      topic: opsgenieTopic,
      text: `{alert.username|Somebody} no longer acknowledges ${opsgenieAlert}.`,
    },
    AddNote: {
      topic: opsgenieTopic,
      text: `{alert.username|Somebody} wrote a note on ${opsgenieAlert}:\n\n{alert.note:quote}`,
    },
    Delete: {
      topic: opsgenieTopic,
      text: `{alert.username|Somebody} deleted the alert {alert.message}.`,
    },
    ...each("", ["AssignOwnership", "TakeOwnership"], {
      topic: opsgenieTopic,
      text: `{alert.owner|alert.username} owns ${opsgenieAlert}.`,
    }),
    Escalate: { topic: opsgenieTopic, text: `${opsgenieAlert} is escalated.` },
  },
};

/** Webhooks of checks. Source: pingdom.com/resources/webhooks. */
export const pingdom: Integration = {
  name: "pingdom",
  title: "Pingdom",
  event: ({ payload }) => pickText(payload, "check_id") && "state",
  forms: {
    state: {
      topic: "{check_name|Pingdom} status.",
      text: "Service {check_params.hostname|check_name} changed its {check_type} status from {previous_state} to **{current_state}**{?long_description}:\n\n{long_description:quote}{/long_description}{^long_description}.{/long_description}",
    },
  },
};

/** Webhooks of monitors, posted as JSON. Source: uptimerobot.com/help, Web-hook notifications. */
export const uptimeRobot: Integration = {
  name: "uptimerobot",
  title: "UptimeRobot",
  event: ({ payload }) => pickText(payload, "monitor_friendly_name") && "alert",
  forms: {
    alert: {
      topic: "{monitor_friendly_name}",
      text: "[{monitor_friendly_name}]({monitor_url:url}) is **{alert_type_friendly_name}** ({alert_details}){?alert_friendly_duration} after {alert_friendly_duration}{/alert_friendly_duration}.",
    },
  },
};
