import type { Reason, ReasonName } from "./reasons";

/** Every error code that chatd answers with. */
export type ErrorCode =
  | "ADMIN_ACTION_REQUIRED"
  | "ANOMALOUS_WEBHOOK_PAYLOAD"
  | "AUTHENTICATION_FAILED"
  | "BAD_EVENT_QUEUE_ID"
  | "BAD_IMAGE"
  | "BAD_NARROW"
  | "BAD_REQUEST"
  | "CANNOT_DEACTIVATE_GROUP_IN_USE"
  | "CANNOT_DEACTIVATE_LAST_USER"
  | "CHANNEL_ALREADY_EXISTS"
  | "CSRF_FAILED"
  | "DATABASE_UNAVAILABLE"
  | "EXPECTATION_MISMATCH"
  | "FAILED_TO_CONNECT_BOUNCER"
  | "INTERNAL_SERVER_ERROR"
  | "INTERNAL_SERVER_ERROR_ON_BOUNCER"
  | "INSUFFICIENT_STORAGE"
  | "INVALID_API_KEY"
  | "INVALID_PUSH_DEVICE_TOKEN"
  | "INVITATION_FAILED"
  | "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED"
  | "NONEXISTENT_SUBDOMAIN"
  | "NOT_FOUND"
  | "NO_ACTIVE_PUSH_DEVICE"
  | "PUSH_SERVICE_NOT_CONFIGURED"
  | "RATE_LIMIT_HIT"
  | "REACTION_ALREADY_EXISTS"
  | "REACTION_DOES_NOT_EXIST"
  | "REALM_DEACTIVATED"
  | "REALM_UPLOAD_QUOTA"
  | "REQUEST_CONFUSING_VAR"
  | "REQUEST_TOO_LARGE"
  | "REQUEST_VARIABLE_INVALID"
  | "REQUEST_VARIABLE_MISSING"
  | "SERVER_BUSY"
  | "STORAGE_DAMAGED"
  | "STREAM_DOES_NOT_EXIST"
  | "STREAM_WILDCARD_MENTION_NOT_ALLOWED"
  | "SYSTEM_GROUP_REQUIRED"
  | "TOPIC_WILDCARD_MENTION_NOT_ALLOWED"
  | "UNAUTHORIZED"
  | "UNAUTHORIZED_PRINCIPAL"
  | "UNSUPPORTED_WEBHOOK_EVENT_TYPE"
  | "USER_DEACTIVATED";

/**
 * A refusal that a person can act on: verbs throw it, HTTP and the CLI each translate it once.
 * `data` is sent beside `code` and `msg`; `reason` stays here. Anything else that is thrown is a
 * bug.
 */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly status: number = 400,
    readonly data: Record<string, unknown> = {},
    readonly reason?: Reason,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

/**
 * Whether a refusal is final. A server that is busy or has no database (5xx), or that refuses too
 * many requests at once (429), may accept the request a moment later.
 */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

export const badRequest = (message: string) => new ApiError("BAD_REQUEST", message);

/** A bad request whose reason is told in each language; the message is the English text. */
export const refusedFor = (name: ReasonName, message: string, ...values: string[]) =>
  new ApiError("BAD_REQUEST", message, 400, {}, { name, values });

export const accessDenied = (message: string) => new ApiError("BAD_REQUEST", message, 403);

/** A missing object of the actor's own: BAD_REQUEST with the status 404, as in the protocol. */
export const noSuchObject = (message: string) => new ApiError("BAD_REQUEST", message, 404);

export const notFound = (message: string) => new ApiError("NOT_FOUND", message, 404);

/** A request for a host that no organization has. */
export const organizationNotFound = (host: string) =>
  new ApiError("NONEXISTENT_SUBDOMAIN", `There is no organization at ${host}.`, 404);

export const missingParameter = (name: string) =>
  new ApiError("REQUEST_VARIABLE_MISSING", `Missing '${name}' argument.`, 400, { var_name: name });

/** A parameter of the right type whose value makes no sense. */
export const invalidParameter = (name: string, value: unknown, message: string) =>
  new ApiError("REQUEST_VARIABLE_INVALID", message, 400, { var_name: name, bad_value: value });

export const confusingParameters = (first: string, second: string) =>
  new ApiError("REQUEST_CONFUSING_VAR", `Send '${first}' or '${second}', not both.`, 400, {
    var_name1: first,
    var_name2: second,
  });

/** Parameters that exclude each other; `advice` says which to send instead. */
export function incompatibleParameters(names: readonly string[], advice: string): ApiError {
  const parameters = names.join(", ");
  return new ApiError(
    "BAD_REQUEST",
    `Unsupported parameter combination: ${parameters}. ${advice}`,
    400,
    {
      parameters,
    },
  );
}

export const badNarrow = (description: string) =>
  new ApiError("BAD_NARROW", `Invalid narrow: ${description}.`, 400, { desc: description });

export const badEventQueueId = (queueId: string) =>
  new ApiError("BAD_EVENT_QUEUE_ID", `Bad event queue id: ${queueId}. Register a new queue.`, 400, {
    queue_id: queueId,
  });

export const unauthorized = (
  message = "Sign in with HTTP Basic authentication: your e-mail address and your API key.",
) => new ApiError("UNAUTHORIZED", message, 401);

/**
 * A key that is malformed, unknown, of another account, or of a deactivated account. Clients
 * recognize this text.
 */
export const wrongApiKey = () => unauthorized("Invalid API key");

/**
 * A request that changes data, is signed with a browser's cookie and does not come from a page of
 * ours.
 */
export const csrfFailed = (message: string, reason: "origin" | "token") =>
  new ApiError("CSRF_FAILED", message, 403, { reason });

export const userDeactivated = () =>
  new ApiError(
    "USER_DEACTIVATED",
    "This account is deactivated. Ask an administrator to reactivate it.",
    401,
  );

export const realmDeactivated = () =>
  new ApiError("REALM_DEACTIVATED", "This organization is deactivated.", 401);

/**
 * Wrong address, wrong password, or an account that is locked after too many tries. One answer for
 * all three, because different ones would tell which addresses exist.
 */
export const invalidCredentials = () =>
  new ApiError(
    "AUTHENTICATION_FAILED",
    "Your e-mail address or your password is incorrect. After five failures you have to wait for half an hour.",
    401,
  );

/** A token by which a program vouches for an address that no person here has. */
export const unknownTokenHolder = () =>
  new ApiError("AUTHENTICATION_FAILED", "Nobody here has the e-mail address of the token.", 401);

export const administratorRequired = () =>
  roleRequired("administrator-required", "You must be an organization administrator to do this.");

export const ownerRequired = () =>
  roleRequired("owner-required", "You must be an organization owner to do this.");

const roleRequired = (name: ReasonName, message: string) =>
  new ApiError("UNAUTHORIZED_PRINCIPAL", message, 400, {}, { name, values: [] });

export const channelIdUnknown = (channelId: number) =>
  new ApiError("STREAM_DOES_NOT_EXIST", `Channel with ID '${channelId}' does not exist.`, 400, {
    stream_id: channelId,
  });

export const channelNameUnknown = (name: string) =>
  new ApiError("STREAM_DOES_NOT_EXIST", `Channel '${name}' does not exist.`, 400, { stream: name });

/** A new channel whose name is taken. */
export const channelExists = (name: string) =>
  channelTaken("channel-exists", name, `Channel '${name}' already exists.`);

const channelTaken = (reason: ReasonName, name: string, message: string) =>
  new ApiError("CHANNEL_ALREADY_EXISTS", message, 409, {}, { name: reason, values: [name] });

/**
 * A new channel whose name looks like another's. The text does not name that channel, because it
 * may be hidden from the actor.
 */
export const channelLooksTaken = (name: string) =>
  channelTaken(
    "channel-alike",
    name,
    `'${name}' looks like the name of another channel. Choose another one.`,
  );

/**
 * A message that is missing or that the reader may not see. One answer for both, because different
 * ones would tell which messages exist.
 */
export const invalidMessage = () => refusedFor("message-gone", "Invalid message(s)");

/**
 * Refusal to move a whole topic of `total` messages: the actor may still move only the newest ones,
 * `allowed`, in the order of their ids.
 */
export const moveTimeLimitExceeded = (allowed: readonly number[], total: number) =>
  new ApiError(
    "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    `You may move only the ${allowed.length} most recent of the ${total} messages in this topic. Ask a moderator to move them all.`,
    400,
    {
      first_message_id_allowed_to_move: allowed[0] ?? null,
      total_messages_allowed_to_move: allowed.length,
      total_messages_in_topic: total,
    },
  );

/**
 * Some or all people were not invited: `errors` has the reason for each address, and whether a
 * deactivated account has it.
 */
export const invitationFailed = (
  message: string,
  facts: {
    errors?: readonly [address: string, why: string, isDeactivated: boolean][];
    isSent?: true;
    isLimitReached?: true;
  },
) =>
  new ApiError("INVITATION_FAILED", message, 400, {
    errors: facts.errors ?? [],
    sent_invitations: facts.isSent ?? false,
    license_limit_reached: false,
    daily_limit_reached: facts.isLimitReached ?? false,
  });

export const lastOwner = () =>
  new ApiError(
    "CANNOT_DEACTIVATE_LAST_USER",
    "An organization must keep at least one active owner.",
    400,
    {
      is_last_owner: true,
      entity: "organization owner",
    },
  );

export const lastUser = () =>
  new ApiError(
    "CANNOT_DEACTIVATE_LAST_USER",
    "An organization must keep at least one active user.",
    400,
    {
      is_last_owner: false,
      entity: "user",
    },
  );

/** Too many requests: try again in `waitSeconds`, which HTTP also sends as a header. */
export const rateLimitHit = (waitSeconds: number) =>
  new ApiError("RATE_LIMIT_HIT", `Too many requests: wait ${waitSeconds} s, then try again.`, 429, {
    "retry-after": waitSeconds,
  });

/** The server is too busy to begin the request; nothing was done. */
export const serverBusy = (what = "The server is answering too much at once", waitSeconds = 1) =>
  new ApiError("SERVER_BUSY", `${what}: wait ${waitSeconds} s, then try again.`, 503, {
    "retry-after": waitSeconds,
  });

/**
 * The items named in a parameter make an answer of more than `sizeBytesMax`: the first `countMax`
 * would fit.
 */
export const tooLong = (name: string, sizeBytesMax: number, countMax: number) =>
  new ApiError(
    "REQUEST_TOO_LARGE",
    `The messages of '${name}' are longer than one answer may be (${sizeBytesMax} bytes): ask for at most ${countMax} ids at a time.`,
    400,
    { var_name: name, count_max: countMax },
  );

export const tooLarge = (sizeBytesMax: number) =>
  new ApiError(
    "REQUEST_TOO_LARGE",
    `The request is too large: at most ${sizeBytesMax} bytes are accepted.`,
    413,
  );

/** The current value of a setting is not the one that the client expects to replace. */
export const expectationMismatch = (name: string) =>
  new ApiError(
    "EXPECTATION_MISMATCH",
    `'old' is not the value that ${name} has now: look at it again.`,
  );

/** The current text of a message is not the one that the client expects to replace. */
export const contentChanged = () =>
  new ApiError(
    "EXPECTATION_MISMATCH",
    "The message was changed in the meantime: look at it again, then edit it.",
  );

export const systemGroupRequired = (name: string, message: string) =>
  new ApiError("SYSTEM_GROUP_REQUIRED", message, 400, { setting_name: name });

/** A group that is still used. `objections` say where (`test/recorded/api/errors.json`). */
export const groupInUse = (message: string, objections: readonly object[]) =>
  new ApiError("CANNOT_DEACTIVATE_GROUP_IN_USE", message, 400, { objections });

/** A program signs in with an invalid API key. */
export const invalidApiKey = () => new ApiError("INVALID_API_KEY", "Invalid API key", 401);

/**
 * A webhook's post that is no event of its service: somebody else has posted it, or the service is
 * set up wrongly.
 */
export const anomalousPayload = (webhookName: string) =>
  new ApiError(
    "ANOMALOUS_WEBHOOK_PAYLOAD",
    `The request could not be read: did ${webhookName} send it? Check the address that it posts to.`,
    400,
    { webhook_name: webhookName },
  );

/**
 * An event of a service that makes no message. Answered with success, because the service must not
 * try it again.
 */
export const unsupportedEventType = (webhookName: string, eventType: string) =>
  new ApiError(
    "UNSUPPORTED_WEBHOOK_EVENT_TYPE",
    `The '${eventType}' event isn't currently supported by the ${webhookName} webhook; ignoring`,
    200,
    { webhook_name: webhookName, event_type: eventType },
  );

/** Somebody wants notifications on a device, and the operator has configured no relay for them. */
export const pushNotConfigured = () =>
  new ApiError(
    "PUSH_SERVICE_NOT_CONFIGURED",
    "This server sends no notifications to mobile devices, because its operator has not set push_relay_url.",
  );

export const noActivePushDevice = () =>
  new ApiError(
    "NO_ACTIVE_PUSH_DEVICE",
    "None of your devices is registered for notifications: register one first.",
  );

/** The relay refuses everything that this server sends. */
export const relayRefused = () =>
  new ApiError(
    "ADMIN_ACTION_REQUIRED",
    "The push relay for mobile notifications refuses this server. Ask the operator of the server to look into it, or try again later.",
    403,
  );

export const relayUnreachable = () =>
  new ApiError(
    "FAILED_TO_CONNECT_BOUNCER",
    "The service for mobile notifications could not be reached: try again later.",
    502,
  );

export const relayFailed = () =>
  new ApiError(
    "INTERNAL_SERVER_ERROR_ON_BOUNCER",
    "The service for mobile notifications has a problem: try again later.",
    502,
  );

/** The token of an older mobile client, which gets no notifications. */
export const unknownPushToken = () =>
  new ApiError(
    "INVALID_PUSH_DEVICE_TOKEN",
    "This server sends only encrypted notifications, which this version of your app does not support: update it.",
  );

/** The room for all files of an organization is used up. */
export const uploadQuotaReached = () =>
  new ApiError(
    "REALM_UPLOAD_QUOTA",
    "Your organization has no space left for this file. Delete other files, or ask the operator for more space (upload_quota_mib).",
  );

/** The room for all files of a person is used up. */
export const personalUploadQuotaReached = (quotaMib: number) =>
  new ApiError(
    "REALM_UPLOAD_QUOTA",
    `Your files may use ${quotaMib} MiB together, including unfinished uploads, and this file is too large for that. ` +
      "Delete other files of yours, or ask the operator for more space (upload_quota_per_user_mib).",
  );
