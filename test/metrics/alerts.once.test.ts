import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { parse } from "yaml";
import { declarationOf, metricNames } from "../../src/metrics/catalog";
import { requireTool } from "../support/processes/tools";
import { root } from "../support/root";
import { scratchFolder } from "../support/scratch-folder";

/* The alerts of `deploy/prometheus`, each seen to fire and to stay quiet by Prometheus itself. */

const folder = mkdtempSync(join(scratchFolder(), "chatd-alerts-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rulesFile = join(root, "deploy/prometheus/chatd.rules.yml");

interface Rule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: { summary: string; description: string };
}

const rules: Rule[] = parse(readFileSync(rulesFile, "utf8")).groups.flatMap(
  ({ rules: its }: { rules: Rule[] }) => its,
);

/**
 * Series in the notation of promtool, a value each minute: those of trouble, and those of a good
 * day.
 */
interface Case {
  trouble: Record<string, string>;
  calm: Record<string, string>;
  /** Labels of the alert beside its severity. */
  labels: Record<string, string>;
}

const node = { instance: "a" };
const up = { job: "chatd", instance: "a" };

/**
 * Buckets of a histogram in which each minute some values are fast, and some take longer than a
 * second.
 */
const buckets = (name: string, slow: number): Record<string, string> => ({
  [`${name}_bucket{instance="a",le="0.01"}`]: "0+100x40",
  [`${name}_bucket{instance="a",le="1"}`]: "0+100x40",
  [`${name}_bucket{instance="a",le="5"}`]: `0+${100 + slow}x40`,
  [`${name}_bucket{instance="a",le="+Inf"}`]: `0+${100 + slow}x40`,
});
const results = (name: string, sent: number, failed: number): Record<string, string> => ({
  [`${name}{instance="a",result="sent"}`]: `0+${sent}x40`,
  [`${name}{instance="a",result="failed"}`]: `0+${failed}x40`,
});
const gauge = (series: string, trouble: string, calm: string, labels: Case["labels"]): Case => ({
  trouble: { [series]: trouble },
  calm: { [series]: calm },
  labels,
});
const requests = 'chatd_http_requests_total{instance="a",status="200"}';

const cases: Record<string, Case> = {
  ChatdDown: gauge('up{job="chatd",instance="a"}', "0x40", "1x40", up),
  ChatdRestarts: gauge(
    'process_start_time_seconds{job="chatd",instance="a"}',
    "1000+60x40",
    "1000x40",
    up,
  ),
  ChatdRestarted: gauge(
    'process_start_time_seconds{job="chatd",instance="a"}',
    "1000x24 3000x15",
    "1000x40",
    up,
  ),
  ChatdServerErrors: {
    trouble: {
      [requests]: "0+100x40",
      'chatd_http_requests_total{instance="a",status="500"}': "0+5x40",
    },
    calm: {
      [requests]: "0+1000x40",
      'chatd_http_requests_total{instance="a",status="500"}': "0+1x40",
    },
    labels: node,
  },
  ChatdDatabaseAway: gauge('chatd_database_up{instance="a"}', "0x40", "1x40", node),
  ChatdStorageDamaged: gauge(
    'chatd_log_entries_total{instance="a",level="error",event="storage_damaged"}',
    "1x40",
    "0x40",
    node,
  ),
  ChatdDiskFull: gauge(
    'chatd_http_refusals_total{instance="a",code="INSUFFICIENT_STORAGE"}',
    "0+1x40",
    "7x40",
    node,
  ),
  ChatdDiskAlmostFull: {
    trouble: {
      'chatd_disk_free_bytes{instance="a"}': "2000000000x40",
      'chatd_disk_size_bytes{instance="a"}': "100000000000x40",
    },
    calm: {
      'chatd_disk_free_bytes{instance="a"}': "20000000000x40",
      'chatd_disk_size_bytes{instance="a"}': "100000000000x40",
    },
    labels: node,
  },
  ChatdDiskSlow: {
    trouble: buckets("chatd_database_commit_duration_seconds", 5),
    calm: buckets("chatd_database_commit_duration_seconds", 0),
    labels: node,
  },
  ChatdEventLoopBlocked: {
    trouble: buckets("chatd_event_loop_delay_seconds", 5),
    calm: buckets("chatd_event_loop_delay_seconds", 0),
    labels: node,
  },
  ChatdClientsBehind: gauge(
    'chatd_event_queue_lag_entries_max{instance="a"}',
    "6000x40",
    "100x40",
    node,
  ),
  ChatdWritesWaiting: gauge('chatd_database_writes_waiting{instance="a"}', "800x40", "20x40", node),
  ChatdWalLong: gauge('chatd_sqlite_wal_bytes{instance="a"}', "300000000x40", "5000000x40", node),
  ChatdConnectionsUsedUp: gauge(
    'chatd_postgres_connections_waited_for{instance="a",pool="write"}',
    "3x40",
    "0x40",
    { ...node, pool: "write" },
  ),
  ChatdJobsFailed: gauge('chatd_jobs{instance="a",kind="mail",state="failed"}', "1x40", "0x40", {
    kind: "mail",
  }),
  ChatdJobsLate: gauge('chatd_job_overdue_seconds{instance="a",kind="mail"}', "0+60x40", "5x40", {
    kind: "mail",
  }),
  ChatdMailFails: {
    trouble: results("chatd_mails_total", 1, 5),
    calm: results("chatd_mails_total", 50, 1),
    labels: {},
  },
  ChatdPushFails: {
    trouble: results("chatd_pushes_total", 1, 5),
    calm: results("chatd_pushes_total", 50, 1),
    labels: {},
  },
  ChatdTooManyRefused: {
    trouble: {
      [requests]: "0+100x40",
      'chatd_http_refusals_total{instance="a",code="RATE_LIMIT_HIT"}': "0+30x40",
    },
    calm: {
      [requests]: "0+100x40",
      'chatd_http_refusals_total{instance="a",code="RATE_LIMIT_HIT"}': "0+1x40",
    },
    labels: node,
  },
  ChatdSignInsFail: gauge('chatd_sign_in_failures_total{instance="a"}', "0+60x40", "0+1x40", node),
  ChatdMemoryHigh: gauge(
    'process_resident_memory_bytes{job="chatd",instance="a"}',
    "3000000000x40",
    "300000000x40",
    up,
  ),
  ChatdFilesUsedUp: {
    trouble: {
      'process_open_fds{job="chatd",instance="a"}': "950x40",
      'process_max_fds{job="chatd",instance="a"}': "1000x40",
    },
    calm: {
      'process_open_fds{job="chatd",instance="a"}': "50x40",
      'process_max_fds{job="chatd",instance="a"}': "1000x40",
    },
    labels: up,
  },
  ChatdCertificateEndsSoon: gauge(
    'chatd_certificate_expiry_timestamp_seconds{instance="a",use="https"}',
    "600000x100",
    "9000000x100",
    { ...node, use: "https" },
  ),
};

const series = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => ({ series: name, values: value }));

/** Tests in the form of promtool: an alert that fires, and one that does not. */
function testsOf({ alert, labels, annotations }: Rule) {
  const its = cases[alert];
  if (!its) return [];
  const fires = [{ exp_labels: { ...labels, ...its.labels }, exp_annotations: annotations }];
  return [[its.trouble, fires] as const, [its.calm, []] as const].map(
    ([values, expected], index) => ({
      name: `${alert} ${index === 0 ? "fires" : "stays quiet"}`,
      interval: "1m",
      input_series: series(values),
      alert_rule_test: [
        {
          eval_time: alert === "ChatdCertificateEndsSoon" ? "90m" : "35m",
          alertname: alert,
          exp_alerts: expected,
        },
      ],
    }),
  );
}

function promtool(...args: string[]): { code: number; printed: string } {
  const { stdout, stderr, exitCode } = spawnSync(["promtool", ...args]);
  return { code: exitCode, printed: `${stdout}${stderr}` };
}

test("each alert has a case, and each case an alert", () => {
  expect(rules.map(({ alert }) => alert).sort()).toEqual(Object.keys(cases).sort());
});

test("each alert asks for metrics that there are, by labels that they have", () => {
  const selectors = rules.flatMap(({ expr }) => [
    ...expr.matchAll(/\b((?:chatd|process)_\w+)(?:\{([^}]*)\})?/g),
  ]);
  const wrong = selectors.flatMap(([text, name = "", matchers = ""]) => {
    const metric = metricNames.find((one) => one === name.replace(/_(bucket|sum|count)$/, ""));
    if (metric === undefined) return [text];
    const labels = [...(declarationOf(metric).labels ?? []), "job", "instance"];
    const asked = [...matchers.matchAll(/(\w+)=/g)].map(([, label = ""]) => label);
    return asked.every((label) => labels.includes(label)) ? [] : [text];
  });
  expect(selectors.length).toBeGreaterThan(25);
  expect(wrong).toEqual([]);
});

test("no alert waits for a log line with which the process ends, because nobody scrapes it then", () => {
  expect(rules.filter(({ expr }) => expr.includes("storage_failed"))).toEqual([]);
});

describe.skipIf(!requireTool("promtool"))("to Prometheus", () => {
  test("the rules are rules", () => {
    expect(promtool("check", "rules", rulesFile)).toMatchObject({
      code: 0,
      printed: expect.stringContaining(`${rules.length} rules found`),
    });
  });

  test("each alert fires when there is something, and stays quiet when there is nothing", () => {
    const path = join(folder, "tests.json");
    const tests = rules.flatMap(testsOf);
    const form = { rule_files: [rulesFile], evaluation_interval: "1m", tests };
    writeFileSync(path, JSON.stringify(form));
    expect(promtool("test", "rules", path)).toMatchObject({
      code: 0,
      printed: expect.stringContaining("SUCCESS"),
    });
  });
});
