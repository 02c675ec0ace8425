import { each, eventOf, type Integration } from "../integration";
import { jsonIn, pick, pickText } from "../payload";

/* Services that watch others: metrics, logs, errors and intruders. */

/**
 * Webhooks with the payload that they have by default. Source:
 * docs.datadoghq.com/integrations/webhooks.
 */
export const datadog: Integration = {
  name: "datadog",
  title: "Datadog",
  event: ({ payload }) =>
    pickText(payload, "title") && eventOf("alert", pickText(payload, "event_type")),
  // Datadog marks Markdown by these signs.
  prepare: (payload) => ({ text: pickText(payload, "body").replaceAll("%%%", "").trim() }),
  forms: {
    alert: {
      topic: "{title}",
      text: "**{title}**{?link} ([event]({link:url})){/link}{?text}\n\n{text:quote}{/text}",
    },
  },
};

const newRelicIssue = "[{title}]({issueUrl:url})";
const newRelicTopic = "{alertConditionNames.0|New Relic}";
const newRelicForm = (what: string) => ({
  topic: newRelicTopic,
  text: `${newRelicIssue} ${what}{?priority} (priority {priority:words}){/priority}.{?impactedEntities}\n{/impactedEntities}{#impactedEntities}\n* {.}{/impactedEntities}`,
});

/**
 * Webhooks of workflows with the payload that they have by default. Source:
 * docs.newrelic.com/docs/alerts/get-notified/custom-variables-incident-workflows.
 */
export const newRelic: Integration = {
  name: "newrelic",
  title: "New Relic",
  event: ({ payload }) => pickText(payload, "issueUrl") && pickText(payload, "state"),
  forms: {
    ...each("", ["CREATED", "ACTIVATED"], newRelicForm("is **open**")),
    ACKNOWLEDGED: newRelicForm("is **acknowledged**"),
    ...each("", ["CLOSED", "RESOLVED"], newRelicForm("is **closed**")),
  },
};

/** Webhooks of errors. Source: airbrake.io/docs/integrations/webhooks. */
export const airbrake: Integration = {
  name: "airbrake",
  title: "Airbrake",
  event: ({ payload }) => pickText(payload, "error.error_class") && "error",
  forms: {
    error: {
      topic: "{error.project.name|Airbrake}",
      text: "[{error.error_class}]({airbrake_error_url:url}): {error.error_message:line}{?error.file}\n* In: {error.file:name}, line {error.line_number}{/error.file}{?error.environment}\n* Environment: {error.environment}{/error.environment}\n* Occurred {error.times_occurred:count time}",
    },
  },
};

const raygunError = "[{error.message|error}]({error.url:url})";
const raygunTopic = "{application.name|Raygun}";

/**
 * Webhooks of applications. Source:
 * raygun.com/documentation/product-guides/crash-reporting/integrations/webhooks.
 */
export const raygun: Integration = {
  name: "raygun",
  title: "Raygun",
  event: ({ payload }) =>
    pickText(payload, "event") &&
    eventOf(pickText(payload, "event"), pickText(payload, "eventType")),
  forms: {
    error_notification: {
      topic: raygunTopic,
      text: `${raygunError}: {eventType:say}\n* Occurred {error.totalOccurrences:count time}\n* Users affected: {error.usersAffected|unknown}`,
    },
    "error_activity:StatusChanged": {
      topic: raygunTopic,
      text: `{error.user|Somebody} changed the status of ${raygunError} to **{error.status}**.`,
    },
    "error_activity:AssignedToUser": {
      topic: raygunTopic,
      text: `{error.user|Somebody} assigned ${raygunError} to {error.assignedTo|somebody}.`,
    },
    "error_activity:CommentAdded": {
      topic: raygunTopic,
      text: `{error.user|Somebody} commented on ${raygunError}{?error.comment}:\n\n{error.comment:quote}{/error.comment}`,
    },
  },
  words: {
    NewErrorOccurred: "new error",
    ErrorReoccurred: "has occurred again",
    OneMinuteFollowUp: "one minute later",
    FiveMinuteFollowUp: "five minutes later",
    TenMinuteFollowUp: "ten minutes later",
    ThirtyMinuteFollowUp: "thirty minutes later",
    HourlyFollowUp: "one hour later",
  },
};

/** Alerts of searches. Source: papertrail.com/help/alerts, Webhooks. */
export const papertrail: Integration = {
  name: "papertrail",
  title: "Papertrail",
  event: ({ payload }) => pickText(payload, "saved_search.name") && "search",
  forms: {
    search: {
      topic: "logs",
      text: "[{saved_search.name}]({saved_search.html_search_url:url}) has found {events:count event}:\n{#events}\n* {display_received_at} {source_name} {program}: {message:line}{/events}",
    },
  },
};

/** Alerts of searches. Source: docs.splunk.com, Use a webhook alert action. */
export const splunk: Integration = {
  name: "splunk",
  title: "Splunk",
  event: ({ payload }) => pickText(payload, "search_name") && "search",
  forms: {
    search: {
      topic: "{search_name}",
      text: "Alert of the search [{search_name}]({results_link:url}){?result.host} on {result.host:name}{/result.host}{?result.source} from {result.source:name}{/result.source}.{?result._raw}\n\n{result._raw:code}{/result._raw}",
    },
  },
};

/**
 * Posts of a media type of the organization's own, with the members `hostname`, `severity`,
 * `status`, `item`, `trigger` and `link`. Source: zulip.com/integrations/zabbix.
 */
export const zabbix: Integration = {
  name: "zabbix",
  title: "Zabbix",
  event: ({ payload }) =>
    pickText(payload, "hostname") && pickText(payload, "trigger") && "trigger",
  forms: {
    trigger: {
      topic: "{hostname}",
      text: "**{status|PROBLEM}** ({severity|unknown severity}): [{trigger}]({link:url}){?item}\n* {item}{/item}",
    },
  },
};

/**
 * Webhooks of a Canary console, of Canaries and of Canarytokens. Source: help.canary.tools,
 * Webhooks.
 */
export const thinkst: Integration = {
  name: "thinkst",
  title: "Thinkst Canary",
  event: ({ payload }) => pickText(payload, "AlertType"),
  forms: each("", ["CanaryIncident", "CanarytokenIncident"], {
    topic:
      "{?CanaryName}canary alert - {CanaryName}{/CanaryName}{^CanaryName}canarytoken alert - {Reminder|unknown}{/CanaryName}",
    text: "**:alert: {Description|An incident} at {Timestamp}**\n\n{Intro}\n{?SourceIP}\n* Source: {SourceIP:name}{/SourceIP}{?CanaryLocation}\n* Place: {CanaryLocation}{/CanaryLocation}{#AdditionalDetails}{?0}\n* {0}: {1}{/0}{/AdditionalDetails}",
  }),
};

/** Webhooks of canarytokens.org. Source: github.com/thinkst/canarytokens, its models. */
export const canarytokens: Integration = {
  name: "canarytoken",
  title: "Canarytokens",
  event: ({ payload }) => pickText(payload, "manage_url") && "alert",
  forms: {
    alert: {
      topic: "canarytoken alert - {memo|unknown}",
      text: "**:alert: A canarytoken was {?exposed_time}exposed at {exposed_time}{/exposed_time}{^exposed_time}used at {time}{/exposed_time}**\n\n{memo:line}{?src_ip}\n* Source: {src_ip:name}{/src_ip}{?channel}\n* Way: {channel}{/channel}\n* [Manage it]({manage_url:url})",
    },
  },
};

/** The problem that Errbit posts as JSON in a field of a form. */
function errbitProblem(payload: unknown): unknown {
  const problem = pick(payload, "problem");
  return typeof problem === "string" ? jsonIn(problem) : problem;
}

/** Webhooks of an app. Source: github.com/errbit/errbit, its notification services. */
export const errbit: Integration = {
  name: "errbit",
  title: "Errbit",
  event: ({ payload }) => pickText(errbitProblem(payload), "message") && "problem",
  prepare(payload) {
    const problem = errbitProblem(payload);
    const kind = pickText(problem, "error_class") || pickText(problem, "klass");
    return { problem, kind };
  },
  forms: {
    problem: {
      topic:
        "{problem.app_name|Errbit}{?problem.environment} / {problem.environment}{/problem.environment}",
      text: '[{kind|An error}]({problem.url:url}): "{problem.message:line}"{?problem.where} in {problem.where:name}{/problem.where}{?problem.notices_count}, {problem.notices_count:count time} so far{/problem.notices_count}.',
    },
  },
};

const azureTopic = "{data.essentials.alertRule|Azure Monitor}";
const azureFacts =
  "{#data.essentials.configurationItems}\n* {.:name}{/data.essentials.configurationItems}{?data.essentials.investigationLink}\n* [Look into it]({data.essentials.investigationLink:url}){/data.essentials.investigationLink}{?data.essentials.description}\n\n{data.essentials.description:quote}{/data.essentials.description}";
const azureAlert =
  "**{data.essentials.alertRule}** ({data.essentials.severity}, {data.essentials.signalType})";

/**
 * Webhooks of an action group with the common alert schema. Source: learn.microsoft.com, Common
 * alert schema.
 */
export const azureMonitor: Integration = {
  name: "azuremonitor",
  title: "Azure Monitor",
  event: ({ payload }) =>
    pickText(payload, "schemaId") && pickText(payload, "data.essentials.monitorCondition"),
  forms: {
    Fired: { topic: azureTopic, text: `:alert: ${azureAlert} has **fired**.${azureFacts}` },
    Resolved: { topic: azureTopic, text: `:check: ${azureAlert} is **resolved**.${azureFacts}` },
  },
};
