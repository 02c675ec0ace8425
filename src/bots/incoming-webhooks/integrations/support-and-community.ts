import { each, type Integration } from "../integration";
import { pick, pickText } from "../payload";
import { signedAfterTime, signedBody } from "../signature";

/* Services for customer support, communities and donations. */

const zendeskTopic = "#{detail.id}: {detail.subject|a ticket}";
const zendeskPrefix = "zen:event-type:";

/**
 * Webhooks that are connected to events. Source:
 * developer.zendesk.com/api-reference/webhooks/event-types/ticket-events.
 */
export const zendesk: Integration = {
  name: "zendesk",
  title: "Zendesk",
  signature: signedAfterTime(
    "x-zendesk-webhook-signature",
    "x-zendesk-webhook-signature-timestamp",
  ),
  event({ payload }) {
    const type = pickText(payload, "type");
    return type.startsWith(zendeskPrefix) ? type.slice(zendeskPrefix.length) : "";
  },
  forms: {
    "ticket.created": {
      topic: zendeskTopic,
      text: "Ticket #{detail.id} was created{?detail.priority} (priority {detail.priority:words}){/detail.priority}{?detail.description}:\n\n{detail.description:quote}{/detail.description}{^detail.description}.{/detail.description}",
    },
    "ticket.comment_added": {
      topic: zendeskTopic,
      text: "{event.comment.author.name|Somebody} commented on ticket #{detail.id}:\n\n{event.comment.body:quote}",
    },
    "ticket.status_changed": {
      topic: zendeskTopic,
      text: "The status of ticket #{detail.id} changed from {event.previous:words} to **{event.current:words}**.",
    },
    "ticket.priority_changed": {
      topic: zendeskTopic,
      text: "The priority of ticket #{detail.id} changed to **{event.current:words}**.",
    },
    "ticket.agent_assignment_changed": {
      topic: zendeskTopic,
      text: "Ticket #{detail.id} was given to another agent.",
    },
    ...each(
      "",
      [
        "ticket.tags_changed",
        "ticket.custom_field_changed",
        "ticket.group_assignment_changed",
        "ticket.organization_changed",
        "ticket.requester_changed",
        "ticket.attachment_linked_to_comment",
      ],
      null,
    ),
  },
};

/**
 * The action "Trigger webhook" of automations, in its form JSON with the simple content. Source:
 * support.freshdesk.com, Using webhooks in automation rules.
 */
export const freshdesk: Integration = {
  name: "freshdesk",
  title: "Freshdesk",
  event: ({ payload }) => pickText(payload, "freshdesk_webhook.ticket_id") && "ticket",
  forms: {
    ticket: {
      topic: "#{freshdesk_webhook.ticket_id}: {freshdesk_webhook.ticket_subject|a ticket}",
      text: "[Ticket #{freshdesk_webhook.ticket_id}]({freshdesk_webhook.ticket_url:url}){?freshdesk_webhook.ticket_requester_name} of {freshdesk_webhook.ticket_requester_name}{/freshdesk_webhook.ticket_requester_name}: **{freshdesk_webhook.ticket_status|changed}**{?freshdesk_webhook.ticket_priority}, priority {freshdesk_webhook.ticket_priority}{/freshdesk_webhook.ticket_priority}{?freshdesk_webhook.ticket_description}\n\n{freshdesk_webhook.ticket_description:quote}{/freshdesk_webhook.ticket_description}",
    },
  },
};

/** Text of HTML: tags become nothing, which is enough for a quote that is escaped anyway. */
export const textOf = (html: string) =>
  html
    .replace(/<(?:br|\/p|\/div|\/li)\s?\/?>/gi, "\n")
    .replace(/<[^<>]*>/g, "")
    .trim();

const intercomTopic = "conversation {data.item.id}";
const intercomAdmin = "{data.item.conversation_parts.conversation_parts.0.author.name|An admin}";
const intercomPart = "data.item.conversation_parts.conversation_parts.0.body";

/** Webhooks of an app. Source: developers.intercom.com/docs/references/webhooks/webhook-models. */
export const intercom: Integration = {
  name: "intercom",
  title: "Intercom",
  signature: signedBody(["x-hub-signature"], "sha1=", { algorithm: "sha1" }),
  event: ({ payload }) => pickText(payload, "topic"),
  prepare: (payload) => ({
    opening: textOf(pickText(payload, "data.item.source.body")),
    part: textOf(pickText(payload, intercomPart)),
  }),
  forms: {
    ping: { topic: "Intercom", text: "Intercom can post here." },
    ...each("", ["conversation.user.created", "conversation.admin.single.created"], {
      topic: intercomTopic,
      text: "{data.item.source.author.name|Somebody} began a conversation:\n\n{opening:quote}",
    }),
    "conversation.user.replied": {
      topic: intercomTopic,
      text: "{data.item.conversation_parts.conversation_parts.0.author.name|Somebody} replied:\n\n{part:quote}",
    },
    "conversation.admin.replied": {
      topic: intercomTopic,
      text: `${intercomAdmin} replied:\n\n{part:quote}`,
    },
    "conversation.admin.noted": {
      topic: intercomTopic,
      text: `${intercomAdmin} wrote a note:\n\n{part:quote}`,
    },
    "conversation.admin.assigned": {
      topic: intercomTopic,
      text: `${intercomAdmin} assigned the conversation.`,
    },
    "conversation.admin.closed": {
      topic: intercomTopic,
      text: `${intercomAdmin} closed the conversation.`,
    },
    ...each("", ["conversation.admin.opened", "conversation.admin.unsnoozed"], {
      topic: intercomTopic,
      text: `${intercomAdmin} opened the conversation again.`,
    }),
    "conversation.admin.snoozed": {
      topic: intercomTopic,
      text: `${intercomAdmin} put the conversation off.`,
    },
    ...each("", ["user.created", "contact.created", "contact.user.created", "lead.created"], {
      topic: "people",
      text: "{data.item.name|Somebody} is new.",
    }),
    ...each("", ["conversation_part.tag.created", "contact.email.updated"], null),
  },
};

/**
 * Webhooks of a forum. Source: meta.discourse.org/t/49045, Configure webhooks, and
 * github.com/discourse/discourse, app/serializers.
 */
export const discourse: Integration = {
  name: "discourse",
  title: "Discourse",
  signature: signedBody(["x-discourse-event-signature"], "sha256="),
  event: ({ header }) => header("x-discourse-event") ?? "",
  prepare(payload, { header }) {
    const forum = header("x-discourse-instance");
    const words = pick(payload, "post")
      ? ["post.topic_slug", "post.topic_id", "post.post_number"]
      : ["topic.slug", "topic.id"];
    const path = ["/t", ...words.map((word) => pickText(payload, word))].join("/");
    return { address: forum === null ? "" : `${forum}${path}` };
  },
  forms: {
    ping: { topic: "Discourse", text: "Discourse can post here." },
    topic_created: {
      topic: "{topic.title}",
      text: "{topic.created_by.username|Somebody} began the topic {topic.title}{?address} ([open]({address:url})){/address}.",
    },
    post_created: {
      topic: "{post.topic_title|posts}",
      text: "{post.username|Somebody} wrote{?address} ([open]({address:url})){/address}:\n\n{post.raw:quote}",
    },
    user_created: { topic: "people", text: "{user.username} has signed up." },
    ...each(
      "",
      [
        "topic_edited",
        "topic_destroyed",
        "topic_recovered",
        "topic_closed_status_updated",
        "post_edited",
        "post_destroyed",
        "post_recovered",
        "user_updated",
        "user_logged_in",
        "user_logged_out",
        "user_approved",
        "user_confirmed_email",
        "notification_created",
      ],
      null,
    ),
  },
};

const patrons = "membership notifications";
const patron = "{data.attributes.full_name|Somebody}";

/** Webhooks of a campaign, version 2. Source: docs.patreon.com, Webhooks. */
export const patreon: Integration = {
  name: "patreon",
  title: "Patreon",
  signature: signedBody(["x-patreon-signature"], "", { algorithm: "md5" }),
  event: ({ header }) => header("x-patreon-event") ?? "",
  forms: {
    "members:create": { topic: patrons, text: `${patron} is a new member.` },
    "members:update": {
      topic: patrons,
      text: `The membership of ${patron} has changed{?data.attributes.patron_status}: {data.attributes.patron_status:words}{/data.attributes.patron_status}.`,
    },
    "members:delete": { topic: patrons, text: `${patron} is no longer a member.` },
    "members:pledge:create": { topic: patrons, text: `${patron} has pledged.` },
    "members:pledge:update": { topic: patrons, text: `${patron} has changed the pledge.` },
    "members:pledge:delete": { topic: patrons, text: `${patron} no longer pledges.` },
    "posts:publish": {
      topic: "posts",
      text: "New post: [{data.attributes.title}]({data.attributes.url:url})",
    },
    ...each("posts", ["update", "delete"], null),
  },
};

const payer =
  "{?data.fromCollective.slug}[{data.fromCollective.name}](https://opencollective.com/{data.fromCollective.slug:segment}){/data.fromCollective.slug}{^data.fromCollective.slug}{data.fromCollective.name|Somebody}{/data.fromCollective.slug}";
const expense =
  "{data.expense.description|An expense} ({data.expense.formattedAmount|unknown amount}) of {data.fromCollective.name|somebody}";
const expenseForm = (done: string) => ({ topic: "Expenses", text: `${expense} ${done}.` });

/**
 * Webhooks of a collective. Source: github.com/opencollective/opencollective-api, its webhooks and
 * activities.
 */
export const openCollective: Integration = {
  name: "opencollective",
  title: "Open Collective",
  event: ({ payload }) => pickText(payload, "type"),
  forms: {
    "collective.member.created": {
      topic: "New Member",
      text: "{?data.member.memberCollective.slug}[{data.member.memberCollective.name}](https://opencollective.com/{data.member.memberCollective.slug:segment}){/data.member.memberCollective.slug}{^data.member.memberCollective.slug}{data.member.memberCollective.name|Somebody}{/data.member.memberCollective.slug} is a new {data.member.role:words}{?data.order.formattedAmountWithInterval} and gives {data.order.formattedAmountWithInterval}{/data.order.formattedAmountWithInterval}.",
    },
    "collective.transaction.created": {
      topic: "New Transaction",
      text: `${payer} → {data.collective.name}: {data.transaction.formattedAmount}{?data.transaction.description} ({data.transaction.description}){/data.transaction.description}`,
    },
    "order.processed": {
      topic: "New Contribution",
      text: `${payer} gave {data.order.formattedAmountWithInterval} to {data.collective.name}.`,
    },
    "collective.update.published": {
      topic: "Updates",
      text: "New update: **{data.update.title}**",
    },
    "collective.expense.created": expenseForm("was submitted"),
    "collective.expense.approved": expenseForm("was **approved**"),
    "collective.expense.rejected": expenseForm("was **rejected**"),
    "collective.expense.paid": expenseForm("was **paid**"),
    "collective.expense.error": expenseForm("could **not be paid**"),
    ...each(
      "",
      [
        "collective.expense.updated",
        "collective.expense.deleted",
        "collective.expense.unapproved",
        "collective.expense.processing",
        "collective.expense.scheduledForPayment",
      ],
      null,
    ),
  },
};
