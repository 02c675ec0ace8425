import type { OptionGroup } from "../option";

/** The options of what requests may cost, and of event queues. */
export const requestLimits = {
  heading: "Request limits",
  options: {
    requests_per_minute_per_user: {
      type: "integer",
      fallback: 2_400,
      help: "requests that a user may send to a node per minute (0: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
    requests_per_minute_per_key: {
      type: "integer",
      fallback: 1_200,
      help: "requests with one API key that a node accepts per minute (0: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
    requests_per_minute_per_address: {
      type: "integer",
      fallback: 600,
      help: "requests without sign-in that a node accepts from one client address per minute (0: no limit)",
      reloads: true,
      throwawayTakesIt: true,
    },
    request_size_bytes_max: {
      type: "integer",
      fallback: 1_048_576,
      help: "largest request body, in bytes",
      min: 16_384,
      reloads: true,
      throwawayTakesIt: true,
    },
    answer_size_bytes_max: {
      type: "integer",
      fallback: 8 * 1024 * 1024,
      help: "largest response with messages or events, in bytes; the rest comes with the next request",
      min: 65_536,
      throwawayTakesIt: true,
    },
    answers_in_progress_bytes_max: {
      type: "integer",
      fallback: 128 * 1024 * 1024,
      help: "memory, in bytes, for all responses that a node prepares or sends at a time; one person may use an eighth of it",
      min: 1_048_576,
      throwawayTakesIt: true,
    },
    heartbeat_seconds: {
      type: "integer",
      fallback: 50,
      help: "seconds after which a poll for events is answered without events",
      min: 1,
      max: 55,
      throwawayTakesIt: true,
    },
    queue_idle_seconds: {
      type: "integer",
      fallback: 600,
      help: "seconds without a poll after which an event queue is removed",
      min: 1,
      reloads: true,
      throwawayTakesIt: true,
    },
    queue_events_max: {
      type: "integer",
      fallback: 10_000,
      help: "highest number of events in an event queue",
      min: 100,
      throwawayTakesIt: true,
    },
    queues_per_user_max: {
      type: "integer",
      fallback: 1_000,
      help: "highest number of event queues of one user",
      min: 1,
      reloads: true,
      throwawayTakesIt: true,
    },
  },
} satisfies OptionGroup;
