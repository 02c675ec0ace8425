import type { OptionGroup } from "../option";

/** The options of those who look into a server: what it tells of itself, and where. */
export const monitoring = {
  heading: "Monitoring",
  options: {
    metrics_listen: {
      type: "text",
      fallback: undefined,
      help: "address and port that serve metrics for Prometheus, e.g. 127.0.0.1:9464 (default: none)",
      form: {
        pattern: /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):\d{1,5}$/,
        words: "an address with a port, like 127.0.0.1:9464",
      },
      isUsual: true,
      throwawayTakesIt: false,
    },
    access_log: {
      type: "flag",
      fallback: false,
      help: "whether each request is logged, at level info",
      isUsual: true,
      throwawayTakesIt: true,
    },
    traces: {
      type: "address",
      fallback: undefined,
      help: "OpenTelemetry collector that receives traces over HTTP, e.g. http://127.0.0.1:4318 (default: none)",
      form: {
        pattern: /^https?:\/\/[^?#@\s]+$/i,
        words: "like http://127.0.0.1:4318, without a name and a password",
      },
      throwawayTakesIt: false,
    },
    traces_sample_percent: {
      type: "integer",
      fallback: 10,
      help: "percentage of requests that are traced, unless a trusted proxy decides",
      max: 100,
      throwawayTakesIt: true,
    },
  },
} satisfies OptionGroup;
