/** A step that does not go as recorded, and why that is right. */
export interface Exemption {
  step: number;
  why: string;
}

/**
 * Expectation of a scenario: all of its steps but the exempted ones, or at least so many of them.
 */
export type Expected = { exempted: Exemption[] } | { atLeast: number };

/** Steps in a row that are exempted for one reason. */
const steps = (first: number, last: number, why: string): Exemption[] =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ step: first + index, why }));

const whole: Expected = { exempted: [] };

/** By the name of the scenario. A number only ever grows: what once went as recorded goes on to. */
export const expected: Record<string, Expected> = {
  auth: whole,
  channels_access: {
    exempted: [
      ...steps(
        6,
        7,
        "a send to a hidden channel is refused like one to a missing channel (docs/protocol/security-cases.md A17)",
      ),
      {
        step: 11,
        why: "a narrow to a hidden channel is refused like one to a missing channel (docs/protocol/security-cases.md A17)",
      },
      {
        step: 31,
        why: "who may not know a channel any more is told that it is gone (docs/protocol/security-cases.md A16): clients would go on showing it",
      },
    ],
  },
  channels_admin: whole,
  channels_basic: whole,
  delete: {
    exempted: [
      {
        step: 7,
        why: "a message event is skipped when the message is deleted before it is fetched (docs/design.md 1)",
      },
    ],
  },
  edit_content: {
    exempted: [
      {
        step: 41,
        why: "a message event that is fetched late shows the content of the moment (docs/design.md 1)",
      },
    ],
  },
  drafts_snippets: {
    exempted: [
      {
        step: 11,
        why: "topic must not contain null bytes (docs/protocol/specification.md, POST /drafts)",
      },
      { step: 18, why: "without drafts: success, ids empty (docs/protocol/decisions.md 5)" },
    ],
  },
  events_api: {
    exempted: [
      {
        step: 28,
        why: "step 15 asks for 9999, which discards events there, where ids count by ones; here they count by 1,024 (docs/design.md 1)",
      },
    ],
  },
  events_block: whole,
  flags: whole,
  groups: {
    exempted: [
      {
        step: 12,
        why: "can_mention_group cannot be role:owners (docs/protocol/specification.md, POST /user_groups/create)",
      },
    ],
  },
  move_limits: whole,
  move_topic: {
    exempted: [
      {
        step: 9,
        why: "a message event that is fetched late shows the message where it is now (docs/design.md 1)",
      },
      {
        step: 18,
        why: "'(no topic)' is the empty topic, in which the message is already (docs/protocol/specification.md, PATCH /messages/{message_id}, topic)",
      },
      {
        step: 20,
        why: "it comes from the empty topic, which '(no topic)' of step 18 is (docs/protocol/specification.md, PATCH /messages/{message_id}, topic)",
      },
      {
        step: 29,
        why: "nothing moves to the place where it is (docs/protocol/decisions.md 20)",
      },
      {
        step: 30,
        why: "there are two notices less: those of steps 18 and 29, which move nothing (docs/protocol/specification.md, PATCH /messages/{message_id}, topic; docs/protocol/decisions.md 20)",
      },
      ...[31, 32].map((step) => ({
        step,
        why: "step 29 is not in the history (docs/protocol/decisions.md 20)",
      })),
      {
        step: 35,
        why: "a channel's new oldest message is announced (docs/protocol/specification.md, stream (update)); what was not sent to somebody is historical (docs/design.md 2); the notice does not name a private channel (docs/protocol/security-cases.md A16)",
      },
      { step: 38, why: "what was not sent to somebody is historical to them (docs/design.md 2)" },
    ],
  },
  markdown: {
    exempted: [
      {
        step: 43,
        why: "code in a quotation is a block of its own (docs/design.md 5): a <div> in a <p> is no HTML",
      },
      {
        step: 72,
        why: "KaTeX 0.19.1 (package.json) rounds lengths to four decimals, the older one to five",
      },
      {
        step: 86,
        why: "the title is what was written (docs/design.md 5); there an attribute that is named like its value is empty",
      },
      {
        step: 90,
        why: "a link to nowhere is no link (docs/protocol/security-cases.md F1: only addresses that lead somewhere known)",
      },
      {
        step: 101,
        why: "emphasis around an address ends it, as in **https://e.example** (docs/protocol/security-cases.md F2: markup is none of it)",
      },
      {
        step: 111,
        why: "pictures elsewhere are not shown (docs/protocol/security-cases.md G1): without a proxy their server learns who reads",
      },
      ...steps(
        180,
        180,
        "an address ends at a quotation mark (docs/protocol/security-cases.md F1): it is not made part of it",
      ),
      ...steps(
        184,
        184,
        "an address ends at a quotation mark (docs/protocol/security-cases.md F1), and is linked up to there",
      ),
    ],
  },
  presence_status: whole,
  linkifiers: {
    exempted: [
      ...steps(
        5,
        6,
        "a linkifier leads to the web only: 'not a url {a}' is refused, and there is nothing to remove (docs/protocol/security-cases.md F1)",
      ),
      {
        step: 10,
        why: "a linkifier leads to the web only: javascript:{a} is refused (docs/protocol/security-cases.md F1)",
      },
      {
        step: 20,
        why: "links in a topic follow the linkifiers of the moment, as the step's own note says: what is shown is as of now (docs/design.md 1)",
      },
    ],
  },
  mentions: whole,
  reactions: whole,
  realm_emoji: whole,
  read_anchor: {
    exempted: [
      {
        step: 46,
        why: "a message event that is fetched late shows the flags of the moment (docs/design.md 1), not of the send",
      },
    ],
  },
  read_narrow: whole,
  profile_fields: {
    exempted: [31, 36].map((step) => ({
      step,
      why: "a text with a user's id in it: ids are compared symbolically (docs/protocol/recorded.md), but not within texts",
    })),
  },
  realm_settings: whole,
  register: whole,
  scheduled_alert: {
    exempted: [
      {
        step: 13,
        why: "a channel that is hidden from a guest is refused like a missing one (docs/protocol/security-cases.md A17)",
      },
    ],
  },
  send_channel: {
    exempted: [
      {
        step: 44,
        why: "a new topic loses direction controls, which turn around what stands behind a name (docs/protocol/security-cases.md F3)",
      },
    ],
  },
  send_direct: whole,
  time_limits: {
    exempted: [
      {
        step: 13,
        why: "the message named is too old and others of the topic are not: which ones is told (docs/protocol/specification.md, Errors)",
      },
    ],
  },
  sub_properties: {
    exempted: [7, 18].map((step) => ({
      step,
      why: "the event of a short color has it in full (docs/protocol/decisions.md 21)",
    })),
  },
  submessages_misc: {
    exempted: [
      ...[2, 8, 9].map((step) => ({
        step,
        why: "a submessage has an id of its own (docs/protocol/specification.md, Message object), here from 1 on; the scenario takes it for a message's, which it must not be equal to",
      })),
      { step: 17, why: "register offers no such video calls (docs/protocol/decisions.md 12)" },
      ...steps(
        20,
        22,
        "errors are JSON always (docs/design.md 3), and a wrong type is 400 wherever it is (docs/protocol/security-cases.md H11)",
      ),
    ],
  },
  typing: whole,
  user_settings: whole,
  user_topics: whole,
  users_get: whole,

  bots_webhook: {
    exempted: [
      {
        step: 34,
        why: "since level 377 subscribers hear that one of them is deactivated (test/recorded/api/levels.tsv; docs/protocol/decisions.md 3: the level is 481)",
      },
    ],
  },
  invites: whole,
  uploads: {
    exempted: [
      ...[6, 10, 26].map((step) => ({
        step,
        why: "a file that somebody may not read is answered like one that is missing (docs/protocol/security-cases.md A12, A17)",
      })),
      {
        step: 7,
        why: "errors are JSON always (docs/design.md 3): a program is told with 401 to sign in, a browser led to do it",
      },
      { step: 8, why: "errors are JSON always, also for 404 (docs/design.md 3)" },
      {
        step: 15,
        why: "the owner is told when other messages link to a file (docs/protocol/specification.md, Attachment summary: message_ids; test/recorded/api/events.json, attachment update)",
      },
      {
        step: 16,
        why: "a file is served only to those who can read a message that holds it (docs/protocol/security-cases.md A12)",
      },
      { step: 27, why: "errors are JSON always, also for 404 (docs/design.md 3)" },
    ],
  },
  users_admin: {
    exempted: [
      {
        step: 9,
        why: "who was added by somebody else joins when they sign in first, which step 7 was (docs/protocol/specification.md, User object: date_joined)",
      },
    ],
  },
};
