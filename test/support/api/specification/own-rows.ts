import { each, type Shown, shows } from "./shown";

const draftsStored =
  "drafts are stored in their order, stamped, told to one's own clients and to nobody else";
const snippet = "PATCH /saved_snippets/{saved_snippet_id}";

/** Things that people have for themselves: drafts, snippets, files, settings, presence, status. */
export const ownRows: Shown[] = [
  shows(
    "devices/devices.test.ts",
    "and is removed when she logs out: her own clients hear of both, nobody else",
    ["field: Device record device_id", "event: device", "endpoint: POST /remove_client_device"],
    "parameter: POST /remove_client_device device_id",
  ),
  shows(
    "devices/devices.test.ts",
    "clients that ask for the older event by name get it, with an integer; others do not",
    ["event: push_device", "version: 450"],
  ),
  shows(
    "devices/devices.test.ts",
    "arrives at one device or all, encrypted: only the device can open it",
    ["endpoint: POST /mobile_push/e2ee/test_notification", "version: 420"],
    "parameter: POST /mobile_push/e2ee/test_notification device_id",
  ),
  shows(
    "devices/devices.test.ts",
    "is refused where no device is registered, with another's as with none",
    "error: NO_ACTIVE_PUSH_DEVICE: test notification with no registered device",
  ),
  shows(
    "devices/devices.test.ts",
    "is refused where the relay does not take what this server sends",
    "error: ADMIN_ACTION_REQUIRED: server push configuration problem (invalid credentials, expired plan, unregistered organization)",
  ),
  shows(
    "devices/devices.test.ts",
    "is refused where the relay cannot be reached",
    "error: FAILED_TO_CONNECT_BOUNCER: network error reaching the push notification relay",
  ),
  shows(
    "devices/devices.test.ts",
    "is refused where the relay is broken",
    "error: INTERNAL_SERVER_ERROR_ON_BOUNCER: 5xx at the push relay",
  ),
  shows(
    "own/drafts.test.ts",
    draftsStored,
    each("field: Draft object", "type stream private to topic content timestamp"),
    "endpoint: POST /drafts",
    each("parameter: POST /drafts", "topic content stream to private"),
    "answer: POST /drafts ids",
    ["event: drafts", "event tie: POST /drafts produces drafts events"],
  ),
  shows(
    "own/drafts.test.ts",
    "without `drafts` nothing is stored, and that is no error",
    "parameter: POST /drafts drafts",
  ),
  shows(
    "own/drafts.test.ts",
    "refuses two channels, and a channel that one may not know of like a missing one",
    "error: BAD_REQUEST: draft for a channel without exactly one channel ID",
  ),
  shows(
    "own/drafts.test.ts",
    "refuses %s, and stores none of the others",
    "error: BAD_REQUEST: draft for a channel without exactly one channel ID",
  ),
  shows(
    "own/saved-snippets.test.ts",
    "a snippet is kept, changed and deleted; one's own clients hear of it and nobody else",
    each("field: Saved snippet", "title content"),
    `endpoint: ${snippet}`,
    each(`parameter: ${snippet}`, "title content"),
    "event: saved_snippets",
  ),
  shows(
    "own/saved-snippets.test.ts",
    "A17, E9, E10: another's snippet answers like a missing one, and stays",
    "error: BAD_REQUEST: saved snippet does not exist",
  ),
  shows(
    "own/alert-words.test.ts",
    "Alice says which words she wants to be told of; her clients hear of it, nobody else",
    ["event: alert_words", "event field: alert_words alert_words"],
  ),
  shows(
    "own/scheduled-messages.test.ts",
    "a message is listed until its time, told to its sender alone, and then sent as them, once",
    "event: scheduled_messages",
  ),
  shows(
    "own/reminders.test.ts",
    "at its time Notification Bot writes to who asked, with the note, a link and what the message says then",
    "event: reminders",
  ),
  shows(
    "events/register.test.ts",
    "answers every key of the protocol's list to every role",
    "concept: per-user data: channel subscription settings, presence",
  ),
  shows(
    "people/presence.test.ts",
    "and whether she uses her client, which is no news to others",
    "parameter: POST /users/me/presence new_user_input",
  ),
  shows(
    "own/own-views.test.ts",
    "Alice keeps views at hand, renames, pins and lets go of them; only her clients hear of it",
    "event: navigation_view",
  ),
  shows(
    "uploads/uploads.test.ts",
    "is answered with its address, is listed, and is its uploader's alone",
    "endpoint: POST /user_uploads",
    each("answer: POST /user_uploads", "url uri filename"),
    ["event: attachment", "version: 443"],
  ),
  shows(
    "http/limits.test.ts",
    "A file of more than 25 MB is taken where the server allows it",
    "limit: large uploads",
  ),
  shows(
    "uploads/uploads-tus.test.ts",
    "that is aborted goes on where it stopped: what has arrived is kept",
    ["endpoint: POST /user_uploads", "limit: large uploads"],
  ),
  shows(
    "uploads/uploads-tus.test.ts",
    "I7: may be a browser's, signed in by its cookie and with a proof that no other site sends it",
    "authentication: 2. Browser clients may instead authenticate with",
  ),
  shows(
    "http/limits.test.ts",
    "A file of as many bytes as are allowed is taken, and one of one more refused",
    "limit: max_file_upload_size_mib",
  ),
  shows(
    "people/settings-own.test.ts",
    "are told to those who see the person, settings to the person alone",
    ["event: user_settings", "event: user_settings (update)"],
    each("event field: user_settings (update)", "property value language_name"),
    ["event: realm_user (update): full name change", "event: realm_user (update): time zone"],
    each("event field: realm_user (update): time zone", "user_id email timezone"),
  ),
  shows(
    "people/presence.test.ts",
    "and learns who else is, in today's form or in the older one",
    each(
      "field: Presence entry",
      "active_timestamp idle_timestamp aggregated website client status idle active",
    ),
    each("field: Presence entry", "timestamp pushable"),
    ["state: Presence of a user: idle", "state: Presence of a user: active"],
    "state: Presence of a user: reported status",
    "endpoint: POST /users/me/presence",
    each("parameter: POST /users/me/presence", "status slim_presence ping_only"),
    each("answer: POST /users/me/presence", "presence_last_update_id server_timestamp presences"),
    "endpoint: GET /realm/presence",
    each("answer: GET /realm/presence", "server_timestamp presences aggregated website"),
  ),
  shows(
    "people/presence.test.ts",
    "and asks again for what is new since: less than a minute later, nothing",
    "parameter: POST /users/me/presence last_update_id",
  ),
  shows(
    "people/presence.test.ts",
    "and hears of those who were there in the last 14 days, or as many as she says",
    "parameter: POST /users/me/presence history_limit_days",
    "limit: presence history_limit_days default",
  ),
  shows(
    "people/presence.test.ts",
    "in the form that each client knows, once, and to nobody elsewhere",
    ["event: presence", "event field: presence presences"],
  ),
  shows(
    "people/status.test.ts",
    "is the administrators' to change, and their bots'",
    "endpoint: POST /users/{user_id}/status",
    "parameter: POST /users/{user_id}/status user_id",
    "version: 473",
  ),
  shows(
    "people/status.test.ts",
    "is not other people's, for any reason that the specification names",
    "error: BAD_REQUEST: status endpoint: insufficient permission",
  ),
  shows(
    "people/status.test.ts",
    "may be an emoji of each kind, and is refused for each that is none",
    each(
      "parameter: POST /users/{user_id}/status",
      "status_text emoji_name emoji_code reaction_type",
    ),
    each(
      "parameter: POST /users/{user_id}/status",
      "unicode_emoji realm_emoji service_extra_emoji",
    ),
    "error: BAD_REQUEST: status endpoint: no new values passed",
    "error: BAD_REQUEST: status endpoint: status_text over 60 characters",
    "error: BAD_REQUEST: status endpoint: emoji_code/reaction_type without emoji_name",
    "error: BAD_REQUEST: status endpoint: nonexistent emoji",
    "error: BAD_REQUEST: status endpoint: invalid emoji name",
    "error: BAD_REQUEST: status endpoint: invalid custom emoji",
  ),
  shows(
    "http/limits.test.ts",
    "%s",
    "limit: status text",
    "limit: max_stream_name_length",
    "limit: max_stream_description_length",
    "limit: max_channel_folder_name_length",
    "limit: max_channel_folder_description_length",
  ),
  shows("http/limits.test.ts", "a message's content, sent and edited", "limit: max_message_length"),
  shows("http/limits.test.ts", "a topic, sent and moved to", "limit: max_topic_length"),
];
