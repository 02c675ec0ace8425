import { afterAll } from "bun:test";
import { type Exchange, loadApiFacts } from "./api-facts";
import { undeclaredIn } from "./declared-answers";

/** Accepted deviations from the facts. */
const exceptions: { what: RegExp; where?: (exchange: Exchange) => boolean; why: string }[] = [
  {
    what: /^(POST \/register|GET \/events): (twenty_four_hour_time|pm_content_in_desktop_notifications) is removed at level 481$/,
    why: "a released client fails without it (docs/protocol/clients.md 15)",
  },
  {
    what: /^GET \/users\/me: bot_(type|owner_id) is not known$/,
    why: "recorded, null for people (docs/protocol/decisions.md 6)",
  },
  {
    what: /^GET \/users\/me: profile_data is missing$/,
    where: ({ body }) => isBot(body),
    why: "bots have no profile (recorded: users_get)",
  },
  {
    what: /^DELETE \/export\/realm\/\d+: is the answer of an operation that the protocol does not have$/,
    why: "not documented publicly, but a route of the reference server (test/recorded/api/routes.tsv)",
  },
  {
    what: /^GET \/thumbnail\/status\/.+: is the answer of an operation that the protocol does not have$/,
    why: "an operation of the protocol since level 479, check-thumbnail-status, which the facts lack",
  },
  {
    what: /^(POST|PATCH|DELETE) \/default_stream_groups\/\w+(\/streams)?: is the answer of an operation that the protocol does not have$/,
    why: "not documented publicly, but routes of the reference server (test/recorded/api/routes.tsv)",
  },
  {
    what: /^POST \/users\/me\/subscriptions\/\d+: is the answer of an operation that the protocol does not have$/,
    why: "the specification's form of the PATCH (docs/protocol/decisions.md 1)",
  },
  {
    what: /^POST \/users\/me\/subscriptions\/delete: is the answer of an operation that the protocol does not have$/,
    why: "clients that send it mean DELETE (docs/decisions/2026-11-24-what-is-meant.md)",
  },
  {
    what: /^GET \/audit_log: is the answer of an operation that the protocol does not have$/,
    why: "who has changed what, of which the protocol knows nothing (docs/decisions/2026-11-27-audit-log.md)",
  },
  {
    what: /^GET \/messages\/summary: is the answer of an operation that the protocol does not have$/,
    why: "not documented publicly, but a route of the reference server (test/recorded/api/routes.tsv)",
  },
  {
    what: /^(POST \/register|GET \/events): \w+\[\]\.partial_subscribers is missing$/,
    why: "only where include_subscribers is partial",
  },
  {
    what: /^POST \/register: never_subscribed\[\]\.can_create_topic_group is not known$/,
    why: "the reference server sends it, its documentation leaves it out (docs/protocol/decisions.md 22)",
  },
  {
    what: /^event reaction\/(add|remove): user\.is_mirror_dummy is missing$/,
    why: "recorded: user_id, email and full_name (reactions)",
  },
  {
    what: /^event message: local_message_id is not known$/,
    why: "clients find with it what they have sent themselves (the local_id of the send)",
  },
  {
    what: /^GET \/messages: search_incomplete is not known$/,
    why: "a search says so while the index lacks the newest messages; clients that do not know it lose nothing",
  },
  {
    what: /^POST \/fetch_api_key: msg must be an empty text$/,
    where: ({ body }) => hasMessage(body, /^An account has at most 20 API keys/),
    why: "it tells the person that a key has ended, where no field of the protocol could",
  },
  {
    what: /: code "REQUEST_TOO_LARGE" is not known$/,
    why: "errors are JSON always, 413 and 414 too (docs/design.md 3)",
  },
  {
    what: /: code "SERVER_BUSY" is not known$/,
    why: "a node that answers too much at once says so (503), in JSON",
  },
  {
    what: /: code "DATABASE_UNAVAILABLE" is not known$/,
    why: "a server without its database says so, and when to try again",
  },
  {
    what: /: code "INTERNAL_SERVER_ERROR" is not known$/,
    why: "errors.json leaves the code of a bug open",
  },
  {
    what: /: code "(INSUFFICIENT_STORAGE|STORAGE_DAMAGED)" is not known$/,
    why: "errors.json says nothing of the server's disk",
  },
  { what: /^GET \/openapi\.json: /, why: "our documentation, not of the protocol" },
  {
    what: /^event (user_settings|realm_user_settings_defaults)\/update: value must not be null$/,
    why: "twenty_four_hour_time may be null, as register.json says",
  },
  {
    what: /^(PATCH \/realm|POST \/realm\/deactivate|POST \/(submessage|zcommand)|POST \/users\/me\/onboarding_steps|(PATCH|DELETE) \/realm\/profile_fields\/\d+|PATCH \/settings\/(display|notifications)|(POST|DELETE) \/users\/me\/avatar|\w+ \/realm\/(icon|logo)): is the answer of an operation/,
    why: "not documented publicly, but routes of the reference server (test/recorded/api/routes.tsv)",
  },
  {
    what: /^((GET|POST) \/bots|(PATCH|DELETE) \/bots\/\d+): is the answer of an operation/,
    why: "not documented publicly, but routes of the reference server (test/recorded/api/routes.tsv; recorded: bots_webhook)",
  },
  {
    what: /^((POST|HEAD) \/external\/|\w+ \/realm\/webhook_templates|\w+ \/bots\/\d+\/webhook_secrets).*: is the answer of an operation/,
    why: "the forms of other services, which the protocol leaves to them, and how ours are declared",
  },
  {
    what: /^POST \/external\/.*: msg must be an empty text$/,
    why: "UNSUPPORTED_WEBHOOK_EVENT_TYPE has the status 200 and says what was ignored (test/recorded/api/errors.json)",
  },
  {
    what: /^(PATCH|DELETE) \/navigation_views\/narrow\/.*: is the answer of an operation/,
    why: "fragments hold slashes, which some clients leave as they are",
  },
  {
    what: /^POST \/register: reminders\[\]\.(reminder_id|reminder_target_message_id|scheduled_message_id) is (not known|missing)$/,
    why: "a reminder is the same object everywhere: as GET /reminders and its event have it (test/recorded/api/events.json)",
  },
  {
    what: /: [\w.[\]]+\.is_deleted is not yet at level 481$/,
    why: "what the specification describes at a later level is there too (docs/protocol/decisions.md 3)",
  },
  {
    what: /scheduled_end_time is not known$/,
    why: "the end of a status, by which it is cleared: clients that do not know it pass over it",
  },
  {
    what: /^(POST|PATCH|HEAD|DELETE) \/tus\b.*: (BAD_REQUEST with status 4(09|12)|is the answer of an operation)/,
    why: "the statuses of another protocol, tus 1.0.0, which the specification names and does not describe",
  },
  {
    what: /^(POST \/register: push_devices is removed|event push_device: is not known) at level 481$/,
    why: "for clients that ask for it by name (docs/protocol/decisions.md 2)",
  },
  {
    what: /^\w+ \/push_subscriptions.*: is the answer of an operation/,
    why: "browsers and other receivers of notifications without a relay, of which the protocol knows nothing",
  },
  { what: /^event numbered: /, why: "made up by the tests of queues" },
];

const isBot = (body: unknown) =>
  typeof body === "object" && body !== null && "is_bot" in body && body.is_bot === true;

const hasMessage = (body: unknown, form: RegExp) =>
  typeof body === "object" &&
  body !== null &&
  "msg" in body &&
  typeof body.msg === "string" &&
  form.test(body.msg);

const check = loadApiFacts();
const mismatches = new Set<string>();
const undeclaredAnswers = new Set<string>();

/**
 * Compares an answer, and the events in it, with the declaration of its endpoint and with the
 * protocol's facts. A difference fails the test at its end.
 */
export async function noteExchange(exchange: Exchange) {
  for (const undeclared of await undeclaredIn(exchange)) undeclaredAnswers.add(undeclared);
  for (const mismatch of check?.(exchange) ?? []) {
    const isAllowed = exceptions.some(
      ({ what, where }) => what.test(mismatch) && (where?.(exchange) ?? true),
    );
    if (!isAllowed) mismatches.add(mismatch);
  }
}

/** Fails if an answer since the last call differed from the facts; says which, and where in it. */
export function failOnMismatches() {
  const undeclared = [...undeclaredAnswers].sort();
  undeclaredAnswers.clear();
  if (undeclared.length > 0)
    throw new Error(`Answers that are not as declared:\n${undeclared.join("\n")}`);
  const all = [...mismatches].sort();
  mismatches.clear();
  if (all.length === 0) return;
  const advice = "If the specification wants it so, say why in test/support/api/api-check.ts.";
  throw new Error(`Answers that test/recorded/api does not allow:\n${all.join("\n")}\n${advice}`);
}

afterAll(failOnMismatches);
