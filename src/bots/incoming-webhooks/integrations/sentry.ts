import { each, eventOf, type Integration } from "../integration";
import { pickText } from "../payload";
import { signedBody } from "../signature";

const issueTopic = "{data.issue.project.name|Sentry} / {data.issue.title}";
const issue = "[{data.issue.title}]({data.issue.web_url:url})";

/** The events of Sentry's integrations. Source: docs.sentry.io, Integration Platform, Webhooks. */
export const sentry: Integration = {
  name: "sentry",
  title: "Sentry",
  signature: signedBody(["sentry-hook-signature"]),
  event: ({ payload, header }) =>
    eventOf(header("sentry-hook-resource"), pickText(payload, "action")),
  forms: {
    "event_alert:triggered": {
      topic: "{data.event.title}",
      text: "**{data.triggered_rule|Alert}**: [{data.event.title}]({data.event.web_url:url})\n* Level: {data.event.level|unknown}\n* In: {data.event.culprit:name|unknown}{?data.event.environment}\n* Environment: {data.event.environment}{/data.event.environment}{?data.event.datetime}\n* Time: {data.event.datetime:time}{/data.event.datetime}{?data.event.message}\n\n{data.event.message:code}{/data.event.message}",
    },
    ...each("issue", ["created", "unresolved"], {
      topic: issueTopic,
      text: `{action:say}: ${issue}\n* Level: {data.issue.level|unknown}\n* In: {data.issue.culprit:name|unknown}\n* Seen: {data.issue.count|1} times`,
    }),
    ...each("issue", ["resolved", "assigned", "ignored", "archived"], {
      topic: issueTopic,
      text: `{actor.name|Sentry} {action:say} ${issue}{?data.issue.assignedTo.name} ({data.issue.assignedTo.name}){/data.issue.assignedTo.name}.`,
    }),
    "error:created": {
      topic: "{data.error.title}",
      text: "New error: [{data.error.title}]({data.error.web_url:url})\n* In: {data.error.culprit:name|unknown}",
    },
    "comment:created": {
      topic: "{data.project_slug} / issue {data.issue_id}",
      text: "{actor.name|Somebody} commented on issue {data.issue_id}:\n\n{data.comment:quote}",
    },
    ...each("metric_alert", ["critical", "warning", "resolved"], {
      topic: "{data.metric_alert.alert_rule.name|Metric alert}",
      text: "**{action:say}** [{data.description_title}]({data.web_url:url}){?data.description_text}: {data.description_text}{/data.description_text}",
    }),
    installation: {
      topic: "Sentry",
      text: "The integration was {action} for {data.installation.organization.slug}.",
    },
  },
  words: {
    created: "New issue",
    unresolved: "Again unresolved",
    resolved: "resolved",
    assigned: "assigned",
    ignored: "ignored",
    archived: "archived",
    critical: ":alert: Critical:",
    warning: ":warning: Warning:",
  },
};
