interface Declared {
  type: "counter" | "gauge" | "histogram";
  /** Sentence for readers of the metric; the documentation shows it too. */
  help: string;
  labels?: readonly string[];
  /**
   * Only servers whose database is a file, or only those whose database is a separate server, have
   * this metric.
   */
  only?: "file" | "server";
}

/**
 * All metrics, in the order in which they are shown; `docs/metrics.md` lists them. Units are
 * seconds and bytes, as Prometheus recommends. The values of labels are few and come from the code
 * or the operator, because each value is kept for good.
 */
export const catalog = {
  chatd_build_info: {
    type: "gauge",
    help: "1, with what runs here",
    labels: ["version", "commit", "database"],
  },
  chatd_http_requests_total: {
    type: "counter",
    help: "Requests that were answered, by the path as the API declares it; (none) for paths of nobody",
    labels: ["method", "route", "status"],
  },
  chatd_http_request_duration_seconds: {
    type: "histogram",
    help: "Time from the arrival of a request until its answer could be sent; polls for events wait on purpose",
    labels: ["method", "route"],
  },
  chatd_http_requests_in_progress: { type: "gauge", help: "Requests that wait for their answer" },
  chatd_http_refusals_total: {
    type: "counter",
    help: "Requests that were refused, by the code of the error: RATE_LIMIT_HIT, SERVER_BUSY, INSUFFICIENT_STORAGE and so on",
    labels: ["code"],
  },
  chatd_sign_in_failures_total: { type: "counter", help: "Sign-ins with a wrong password" },
  chatd_event_queues: { type: "gauge", help: "Event queues of clients that this node serves" },
  chatd_event_polls_held: { type: "gauge", help: "Polls that wait for an event" },
  chatd_event_queue_lag_entries_max: {
    type: "gauge",
    help: "Entries of the event log that wait for the slowest client of the last two minutes",
  },
  chatd_database_up: { type: "gauge", help: "1 while the database answers, else 0" },
  chatd_database_writes_total: { type: "counter", help: "Writes that were stored" },
  chatd_database_writes_waiting: { type: "gauge", help: "Writes that wait for their turn" },
  chatd_database_group_writes: {
    type: "histogram",
    help: "Writes that share a commit",
  },
  chatd_database_transaction_duration_seconds: {
    type: "histogram",
    help: "Time of a group of writes from its first statement until it is on the disk",
  },
  chatd_database_commit_duration_seconds: {
    type: "histogram",
    help: "Time of a commit alone, which waits for the disk (fsync)",
  },
  chatd_sqlite_database_bytes: {
    type: "gauge",
    help: "Size of the database file",
    only: "file",
  },
  chatd_sqlite_wal_bytes: {
    type: "gauge",
    help: "Size of the write-ahead log, which is written back from 4 MiB on",
    only: "file",
  },
  chatd_sqlite_checkpoint_duration_seconds: {
    type: "histogram",
    help: "Time to write a part of the log back to the database",
    only: "file",
  },
  chatd_postgres_connections_max: {
    type: "gauge",
    help: "Connections that this node may open, by what they are for",
    labels: ["pool"],
    only: "server",
  },
  chatd_postgres_connections_in_use: {
    type: "gauge",
    help: "Connections that work on something, of the pools snapshot and write",
    labels: ["pool"],
    only: "server",
  },
  chatd_postgres_connections_waited_for: {
    type: "gauge",
    help: "Callers that wait for a connection, of the pools snapshot and write",
    labels: ["pool"],
    only: "server",
  },
  chatd_jobs: {
    type: "gauge",
    help: "Background work on the list, of all nodes; failed is what will not be tried again",
    labels: ["kind", "state"],
  },
  chatd_job_overdue_seconds: {
    type: "gauge",
    help: "Time for which the oldest due job of a kind has waited",
    labels: ["kind"],
  },
  chatd_mails_total: {
    type: "counter",
    help: "Mails given to the relay (sent), refused for good, failed so that they are tried again, or dropped as too old",
    labels: ["result"],
  },
  chatd_mails_waiting: { type: "gauge", help: "Mails that wait to be sent, of all nodes" },
  chatd_pushes_total: {
    type: "counter",
    help: "Push notifications that were sent, refused for good, or failed so that they are tried again",
    labels: ["result"],
  },
  chatd_pushes_waiting: { type: "gauge", help: "Push notifications that wait, of all nodes" },
  chatd_stored_file_bytes_total: {
    type: "counter",
    help: "Bytes of uploaded files and pictures that were stored",
  },
  chatd_disk_free_bytes: {
    type: "gauge",
    help: "Room left on the disk of the data folder",
  },
  chatd_disk_size_bytes: { type: "gauge", help: "Size of the disk of the data folder" },
  chatd_log_entries_total: {
    type: "counter",
    help: "Warnings and errors in the log, by the name of the event",
    labels: ["level", "event"],
  },
  chatd_certificate_expiry_timestamp_seconds: {
    type: "gauge",
    help: "Time at which a certificate ends, by what it is for",
    labels: ["use"],
  },
  chatd_trace_spans_total: {
    type: "counter",
    help: "Spans of traces that were exported to the collector, or dropped because it did not take them",
    labels: ["result"],
  },
  chatd_event_loop_delay_seconds: {
    type: "histogram",
    help: "How late the event loop comes to a timer that it looks at ten times a second",
  },
  chatd_heap_used_bytes: { type: "gauge", help: "Memory that JavaScript objects take" },
  process_resident_memory_bytes: { type: "gauge", help: "Memory of the process" },
  process_cpu_seconds_total: { type: "counter", help: "Time of processors that it has taken" },
  process_start_time_seconds: { type: "gauge", help: "Time of its start" },
  process_open_fds: { type: "gauge", help: "Open files and connections (Linux)" },
  process_max_fds: { type: "gauge", help: "Files and connections that it may open (Linux)" },
} as const satisfies Record<string, Declared>;

export type MetricName = keyof typeof catalog;

const isMetricName = (name: string): name is MetricName => Object.hasOwn(catalog, name);

export const metricNames: readonly MetricName[] = Object.keys(catalog).filter(isMetricName);

/** The declaration of a metric, in the form that all of them have. */
export const declarationOf = (name: MetricName): Declared => catalog[name];
