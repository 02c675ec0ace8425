import type { Post } from "./post";

/** Written after developer.zendesk.com/api-reference/webhooks/event-types/ticket-events. */
const zendeskTicket = {
  account_id: 22129848,
  id: "cbe4028c-7239-495d-b020-f22348516046",
  subject: "zen:ticket:5158",
  type: "zen:event-type:ticket.created",
  zendesk_event_version: "2022-11-06",
  detail: {
    id: "5158",
    subject: "Printer on fire",
    description: "It burns",
    priority: "HIGH",
    status: "OPEN",
  },
  event: {},
};

/** Written after developers.intercom.com/docs/references/webhooks, and recorded posts. */
const intercomReply = {
  type: "notification_event",
  topic: "conversation.user.replied",
  id: "notif_abc123",
  app_id: "workspace_id",
  data: {
    item: {
      type: "conversation",
      id: "1234567890",
      source: { body: "<p>Hello</p>", author: { name: "Test User" } },
      conversation_parts: {
        conversation_parts: [
          { body: "<p>I need <b>help</b><br>now</p>", author: { type: "user", name: "Test User" } },
        ],
      },
    },
  },
};

const discourseHeaders = (event: string) => ({
  "x-discourse-event": event,
  "x-discourse-instance": "https://forum.example.com",
});

/** Written after docs.patreon.com, Webhooks, and recorded posts. */
const patron = {
  data: {
    type: "member",
    id: "1",
    attributes: {
      email: "cathy@example.com",
      full_name: "Cathy Patron",
      is_follower: false,
      last_charge_status: "Declined",
      patron_status: "declined_patron",
    },
    relationships: { campaign: { data: { id: "7", type: "campaign" } } },
  },
};

/** Written after github.com/opencollective/opencollective-api, its webhooks. */
const giver = { type: "USER", slug: "ada", name: "Ada Giver" };
const collective = { id: 30312, type: "COLLECTIVE", slug: "kitchen", name: "Kitchen" };

export const helpingPosts: Post[] = [
  {
    integration: "zendesk",
    what: "a ticket",
    payload: zendeskTicket,
    topic: "#5158: Printer on fire",
    text: "Ticket #5158 was created (priority high):\n\n```quote\nIt burns\n```",
  },
  {
    integration: "zendesk",
    what: "a comment",
    payload: {
      ...zendeskTicket,
      type: "zen:event-type:ticket.comment_added",
      event: { comment: { author: { name: "Ann" }, body: "Use water", id: "1" } },
    },
    topic: "#5158: Printer on fire",
    text: "Ann commented on ticket #5158:\n\n```quote\nUse water\n```",
  },
  {
    integration: "zendesk",
    what: "a new status",
    payload: {
      ...zendeskTicket,
      type: "zen:event-type:ticket.status_changed",
      event: { current: "SOLVED", previous: "OPEN" },
    },
    topic: "#5158: Printer on fire",
    text: "The status of ticket #5158 changed from open to **solved**.",
  },
  {
    // Written after support.freshdesk.com, Using webhooks in automation rules, and what PagerTree
    // reads.
    integration: "freshdesk",
    what: "a ticket",
    payload: {
      freshdesk_webhook: {
        ticket_id: 12345,
        ticket_subject: "Order not received",
        ticket_url: "https://acme.freshdesk.com/helpdesk/tickets/12345",
        ticket_status: "Open",
        ticket_priority: "Medium",
        ticket_requester_name: "John Smith",
        triggered_event: "ticket_created",
      },
    },
    topic: "#12345: Order not received",
    text: "[Ticket #12345](https://acme.freshdesk.com/helpdesk/tickets/12345) of John Smith: **Open**, priority Medium",
  },
  {
    integration: "intercom",
    what: "a reply",
    payload: intercomReply,
    topic: "conversation 1234567890",
    text: "Test User replied:\n\n```quote\nI need help\nnow\n```",
  },
  {
    integration: "intercom",
    what: "a conversation",
    payload: { ...intercomReply, topic: "conversation.user.created" },
    topic: "conversation 1234567890",
    text: "Test User began a conversation:\n\n```quote\nHello\n```",
  },
  {
    // Written after meta.discourse.org/t/49045 and Discourse itself, app/serializers.
    integration: "discourse",
    what: "a topic",
    headers: discourseHeaders("topic_created"),
    payload: {
      topic: { id: 79, title: "Welcome", slug: "welcome", created_by: { username: "sam" } },
    },
    topic: "Welcome",
    text: "sam began the topic Welcome ([open](https://forum.example.com/t/welcome/79)).",
  },
  {
    integration: "discourse",
    what: "a post",
    headers: discourseHeaders("post_created"),
    payload: {
      post: {
        id: 90,
        username: "sam",
        raw: "Hello all",
        post_number: 2,
        topic_id: 79,
        topic_slug: "welcome",
        topic_title: "Welcome",
      },
    },
    topic: "Welcome",
    text: "sam wrote ([open](https://forum.example.com/t/welcome/79/2)):\n\n```quote\nHello all\n```",
  },
  {
    integration: "discourse",
    what: "an edited post",
    headers: discourseHeaders("post_edited"),
    payload: { post: { username: "sam" } },
  },
  {
    integration: "patreon",
    what: "a member",
    headers: { "x-patreon-event": "members:create" },
    payload: patron,
    topic: "membership notifications",
    text: "Cathy Patron is a new member.",
  },
  {
    integration: "patreon",
    what: "a change of a member",
    headers: { "x-patreon-event": "members:update" },
    payload: patron,
    topic: "membership notifications",
    text: "The membership of Cathy Patron has changed: declined patron.",
  },
  {
    integration: "patreon",
    what: "a change of a member who does not pay",
    headers: { "x-patreon-event": "members:update" },
    payload: {
      data: { ...patron.data, attributes: { ...patron.data.attributes, patron_status: null } },
    },
    topic: "membership notifications",
    text: "The membership of Cathy Patron has changed.",
  },
  {
    // Written after HookPress, its hooks.php and includes.php.
    integration: "wordpress",
    what: "a new post of a blog",
    isForm: true,
    payload: {
      hook: "publish_post",
      post_title: "New Blog Post",
      post_type: "post",
      post_url: "http://example.com/new",
    },
    topic: "WordPress notification",
    text: "New post published:\n* [New Blog Post](http://example.com/new)",
  },
  {
    integration: "wordpress",
    what: "a new page without an address",
    payload: { hook: "publish_page", post_title: "New Blog Page", post_type: "page" },
    topic: "WordPress notification",
    text: "New page published:\n* New Blog Page",
  },
  {
    integration: "wordpress",
    what: "somebody new",
    payload: {
      hook: "user_register",
      display_name: "test_user",
      user_email: "test_user@example.com",
    },
    topic: "WordPress notification",
    text: "New blog user registered:\n* **Name**: test_user\n* **Email**: test_user@example.com",
  },
  {
    integration: "wordpress",
    what: "a sign-in",
    isForm: true,
    payload: { hook: "wp_login", user_login: "testuser" },
    topic: "WordPress notification",
    text: "User testuser logged in.",
  },
  {
    // Written after zulip.com/integrations/zapier.
    integration: "zapier",
    what: "a topic and a text of two lines",
    payload: { topic: "Orders", content: "A new order\nof soup" },
    topic: "Orders",
    text: "A new order\nof soup",
  },
  {
    integration: "zapier",
    what: "Markdown",
    payload: { topic: "Orders", content: "**Soup**:\n* [order](https://shop.example/7)\n* `leek`" },
    topic: "Orders",
    text: "**Soup**:\n* [order](https://shop.example/7)\n* `leek`",
  },
  {
    // Written after zulip.com/integrations/ifttt.
    integration: "ifttt",
    what: "a text",
    payload: { topic: "Weather", content: "It rains" },
    topic: "Weather",
    text: "It rains",
  },
  {
    // Written after home-assistant.io/integrations/notify.rest.
    integration: "homeassistant",
    what: "a message without a title",
    payload: { message: "The **soup** boils over" },
    topic: "homeassistant",
    text: "The **soup** boils over",
  },
  {
    integration: "homeassistant",
    what: "a message with a title, as a form",
    isForm: true,
    payload: { message: "It is open", topic: "Front door" },
    topic: "Front door",
    text: "It is open",
  },
  {
    integration: "opencollective",
    what: "a member",
    payload: {
      type: "collective.member.created",
      CollectiveId: 30312,
      data: {
        member: { role: "BACKER", memberCollective: { ...giver, id: 9 } },
        order: { totalAmount: 100, currency: "EUR", formattedAmountWithInterval: "€1.00 / month" },
      },
    },
    topic: "New Member",
    text: "[Ada Giver](https://opencollective.com/ada) is a new backer and gives €1.00 / month.",
  },
  {
    integration: "opencollective",
    what: "a transaction of somebody who is incognito",
    payload: {
      type: "collective.transaction.created",
      data: {
        transaction: { description: "Monthly", amount: 100, formattedAmount: "€1.00" },
        fromCollective: { type: "USER", name: "incognito" },
        collective,
      },
    },
    topic: "New Transaction",
    text: "incognito → Kitchen: €1.00 (Monthly)",
  },
  {
    integration: "opencollective",
    what: "a contribution",
    payload: {
      type: "order.processed",
      data: {
        firstPayment: true,
        order: { totalAmount: 500, formattedAmountWithInterval: "€5.00" },
        fromCollective: giver,
        collective,
      },
    },
    topic: "New Contribution",
    text: "[Ada Giver](https://opencollective.com/ada) gave €5.00 to Kitchen.",
  },
  {
    integration: "opencollective",
    what: "an expense is approved",
    payload: {
      type: "collective.expense.approved",
      data: {
        expense: { id: 1, description: "Leek", amount: 300, formattedAmount: "€3.00" },
        fromCollective: giver,
        collective,
      },
    },
    topic: "Expenses",
    text: "Leek (€3.00) of Ada Giver was **approved**.",
  },
  {
    integration: "opencollective",
    what: "an update",
    payload: {
      type: "collective.update.published",
      data: { update: { title: "Soup is ready", slug: "soup-is-ready", html: "<p>Eat</p>" } },
    },
    topic: "Updates",
    text: "New update: **Soup is ready**",
  },
  {
    integration: "opencollective",
    what: "an expense is worked on",
    payload: { type: "collective.expense.processing", data: {} },
  },
];
