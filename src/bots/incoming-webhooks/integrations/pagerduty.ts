import { each, type Integration } from "../integration";
import { pickText } from "../payload";
import { signedBodyList } from "../signature";

const topic = "{event.data.service.summary|PagerDuty}";
const incident = "incident [#{event.data.number} {event.data.title}]({event.data.html_url:url})";
const by =
  "{?event.agent.summary} by [{event.agent.summary}]({event.agent.html_url:url}){/event.agent.summary}";

/** PagerDuty's webhooks, version 3. Source: developer.pagerduty.com, Webhooks V3. */
export const pagerduty: Integration = {
  name: "pagerduty",
  title: "PagerDuty",
  signature: signedBodyList("x-pagerduty-signature", "v1="),
  event: ({ payload }) => pickText(payload, "event.event_type"),
  forms: {
    "incident.triggered": {
      topic,
      text: `:alert: {event.data.urgency|New} urgency ${incident} was triggered{?event.data.assignees}; it is assigned to{#event.data.assignees} [{summary}]({html_url:url}){/event.data.assignees}{/event.data.assignees}.`,
    },
    ...each(
      "",
      [
        "incident.acknowledged",
        "incident.unacknowledged",
        "incident.resolved",
        "incident.reopened",
        "incident.escalated",
        "incident.delegated",
        "incident.priority_updated",
      ],
      { topic, text: `{event.event_type:say} ${incident}${by}.` },
    ),
    "incident.reassigned": {
      topic,
      text: `Reassigned: ${incident}${by}{?event.data.assignees}, to{#event.data.assignees} [{summary}]({html_url:url}){/event.data.assignees}{/event.data.assignees}.`,
    },
    "incident.annotated": {
      topic: "{event.data.incident.summary|PagerDuty}",
      text: `A note on [{event.data.incident.summary|an incident}]({event.data.incident.html_url:url})${by}:\n\n{event.data.content:quote}`,
    },
    "incident.status_update_published": {
      topic: "{event.data.incident.summary|PagerDuty}",
      text: `A status update of [{event.data.incident.summary|an incident}]({event.data.incident.html_url:url})${by}:\n\n{event.data.message:quote}`,
    },
    "pagey.ping": { topic: "PagerDuty", text: "PagerDuty webhook is configured." },
  },
  words: {
    "incident.acknowledged": "Acknowledged:",
    "incident.unacknowledged": "Not acknowledged any more:",
    "incident.resolved": ":check: Resolved:",
    "incident.reopened": ":alert: Reopened:",
    "incident.escalated": "Escalated:",
    "incident.delegated": "Delegated:",
    "incident.priority_updated": "Priority changed:",
  },
};
