import { each, type Shown, shows } from "./shown";

const permissions = "authentication: 6. Message editing, moving, channel creation options";

/** The ways of the protocol that all of it shares. */
export const protocolRows: Shown[] = [
  shows(
    "http/http.once.test.ts",
    "are taken from the query, a form, multipart and JSON, for every method",
    "convention: Every path below is under {base_url}/api/v1",
    "convention: For POST and PATCH, parameters are",
    "versioning: All paths are under the prefix",
  ),
  shows(
    "http/ignored-parameters.once.test.ts",
    "%s does what it is asked and names a parameter that it does not know",
    "convention: Success response: JSON object with result",
    "answer: POST /users/me/subscriptions/properties ignored_parameters_unsupported",
    "version: 167",
  ),
  shows(
    "http/http.once.test.ts",
    "a path that nothing is at",
    "convention: Error response: see Errors",
    each("error field: every error", "result error code msg"),
  ),
  shows(
    "http/errors.once.test.ts",
    "%s has a code of the protocol with its status and its fields",
    "error field: every error code",
  ),
  // This check finds it in every answer that the suite sees.
  shows(
    "http/api-facts.once.test.ts",
    "finds what is wrong with a refusal: its envelope, its code, its status and its fields",
    "convention: Error response: see Errors",
    each("error field: every error", "result error code msg"),
  ),
  shows(
    "messages/send.test.ts",
    "may be empty, under each name for it, and is shown by a name to clients that do not know that",
    "convention: A topic parameter equal to the",
    "version: 334",
  ),
  shows(
    "sign-in/auth.test.ts",
    "people sign in with their address in any case, or with the placeholder",
    "authentication: 1. API requests use HTTP Basic authentication",
  ),
  shows(
    "sign-in/auth.test.ts",
    "answers a new key each time, and the earlier ones go on working",
    "authentication: 7. Procedure for obtaining an API key",
  ),
  shows(
    "people/roles.test.ts",
    "%s",
    "authentication: 5. Administrator-only operations: create channel folder, create",
    "error: UNAUTHORIZED_PRINCIPAL: administrator-only operation by a non-administrator",
  ),
  shows(
    "messages/edit-message.test.ts",
    "as long as the organization lets her, and twenty seconds more",
    permissions,
  ),
  shows(
    "messages/move-permission.test.ts",
    "to another topic: as the organization lets, and the channel besides",
    permissions,
  ),
  shows(
    "channels/channels-update.test.ts",
    "What takes more than to administer a channel goes by the organization's permissions",
    permissions,
  ),
  shows(
    "mail/channel-email.test.ts",
    "A2, A17: who may not post in a channel learns no address of it, and nothing of a hidden one",
    permissions,
  ),
  shows(
    "events/events.test.ts",
    "waits for the next event and is answered with it at once",
    "concept: event queues through which clients receive",
    "endpoint: GET /events",
    each("answer: GET /events", "events queue_id"),
  ),
  shows(
    "events/events.test.ts",
    "with dont_block is answered at once, and with what is there",
    "parameter: GET /events dont_block",
  ),
  shows(
    "events/events.test.ts",
    "ids that were acknowledged before, or that no event has, are refused, and the place is kept",
    "parameter: GET /events last_event_id",
  ),
  shows(
    "events/register.test.ts",
    "GET /events without a queue's id does the same",
    "parameter: GET /events queue_id",
  ),
  shows(
    "events/events.test.ts",
    "have ids that grow and that no later event has",
    each("event field: every event", "id type"),
  ),
  shows(
    "http/api-facts.once.test.ts",
    "finds what is wrong with events: their shape, their kind and their order",
    "event field: every event op",
  ),
  shows(
    "events/events.test.ts",
    "come alone after 50 s of silence",
    "event: heartbeat",
    "limit: long-poll",
  ),
  shows(
    "sign-in/auth.test.ts",
    "server_settings tells everybody which server this is, under both names of the level",
    "versioning: The server has an integer feature",
    "versioning: Release 11.0 ends at level 421",
  ),
  shows(
    "messages/send.test.ts",
    "in every form that clients send",
    "versioning: Deprecated aliases: subject for topic, uri",
  ),
  shows(
    "messages/direct-messages.test.ts",
    "is addressed in every form that clients send",
    "versioning: Deprecated aliases: subject for topic, uri",
  ),
  shows(
    "sign-in/sessions.test.ts",
    "signs requests to the API, beside which an API key counts alone",
    "authentication: 2. Browser clients may instead authenticate with",
  ),
  shows(
    "channels/web-public-channels.test.ts",
    "K1, K3: sees people without their addresses, and registers without a queue",
    "authentication: 4. GET /users also works unauthenticated in",
  ),
  shows("events/queues.test.ts", "live as long as the client asks, up to a week", "version: 481"),
  shows(
    "events/register.test.ts",
    "tells of settings by one event type; the two that came before it are not sent any more",
    "version: 439",
  ),
];
