import { isRecord } from "../../../core/json/record";
import { each, type Integration } from "../integration";
import { pick, pickText } from "../payload";
import { sharedToken } from "../signature";

/* Services that report whether other services answer, their errors and their incidents. */

/**
 * Webhooks of a status page. Source:
 * support.atlassian.com/statuspage/docs/enable-webhook-notifications.
 */
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

/** Webhooks of a project. Source: rollbar.com/docs/webhooks. */
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
      text: `**${rollbarItem}** has occurred {?data.occurrences}{data.occurrences}{/data.occurrences}{^data.occurrences}{data.item.total_occurrences}{/data.occurrences} times.`,
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
const faultTopic = "{project.name|Honeybadger}: {fault.klass|errors}";

/**
 * Webhooks of a project, of payload version 2. Source:
 * docs.honeybadger.io/guides/integrations/payloads/v2.
 */
export const honeybadger: Integration = {
  name: "honeybadger",
  title: "Honeybadger",
  signature: sharedToken("honeybadger-token"),
  event: ({ payload }) => pickText(payload, "event"),
  forms: {
    occurred: { topic: faultTopic, text: `${fault}: {fault.message}` },
    resolved: { topic: faultTopic, text: `${fault} is resolved.` },
    unresolved: { topic: faultTopic, text: `${fault} is no longer resolved.` },
    ...each("", ["assigned", "commented", "rate_exceeded"], {
      topic: faultTopic,
      text: "{message}{?fault.url} ([error]({fault.url:url})){/fault.url}",
    }),
    volume_spike: { topic: "{project.name|Honeybadger}: errors", text: ":alert: {message}" },
    cert_will_expire: {
      topic: "{project.name|Honeybadger}: {site.name|certificates}",
      text: ":warning: {message}",
    },
    alarm_alert: { topic: "{project.name|Honeybadger}: alarms", text: ":alert: {message}" },
    alarm_ok: { topic: "{project.name|Honeybadger}: alarms", text: ":check: {message}" },
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
      text: `{?alert.owner}{alert.owner}{/alert.owner}{^alert.owner}{alert.username|Somebody}{/alert.owner} owns ${opsgenieAlert}.`,
    }),
    UpdatePriority: {
      topic: opsgenieTopic,
      text: `{alert.username|Somebody} changed the priority of ${opsgenieAlert}{?alert.priority} to {alert.priority}{/alert.priority}.`,
    },
    ...each(
      "",
      [
        "AddTeam",
        "AddRecipient",
        "AddResponder",
        "AddTags",
        "RemoveTags",
        "AddDetails",
        "RemoveDetails",
        "UpdateMessage",
        "UpdateDescription",
        "Snooze",
        "SnoozeEnded",
        "CustomAction",
      ],
      null,
    ),
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
      text: "Service {?check_params.hostname}{check_params.hostname}{/check_params.hostname}{^check_params.hostname}{check_name}{/check_params.hostname} changed its {check_type} status from {previous_state} to **{current_state}**{?long_description}:\n\n{long_description:quote}{/long_description}{^long_description}.{/long_description}",
    },
  },
};

/** Names of the templates, by those of the variables. */
const uptimeRobotNames: Readonly<Record<string, string>> = {
  monitor_friendly_name: "monitorFriendlyName",
  monitor_url: "monitorURL",
  alert_type_friendly_name: "alertTypeFriendlyName",
  alert_details: "alertDetails",
  alert_friendly_duration: "alertFriendlyDuration",
};

/**
 * Webhooks of monitors, posted as JSON: by the names of the variables, or by names in small letters
 * with underscores, because both are found in instructions. Source: uptimerobot.com/help, Web-hook
 * notifications.
 */
export const uptimeRobot: Integration = {
  name: "uptimerobot",
  title: "UptimeRobot",
  event: ({ payload }) =>
    (pickText(payload, "monitor_friendly_name") || pickText(payload, "monitorFriendlyName")) &&
    "alert",
  prepare: (payload) =>
    Object.fromEntries(
      Object.entries(uptimeRobotNames).map(([name, variable]) => [
        name,
        pick(payload, name) ?? pick(payload, variable),
      ]),
    ),
  forms: {
    alert: {
      topic: "{monitor_friendly_name}",
      text: "[{monitor_friendly_name}]({monitor_url:url}) is **{alert_type_friendly_name}** ({alert_details}){?alert_friendly_duration} after {alert_friendly_duration}{/alert_friendly_duration}.",
    },
  },
};
