import type { Post } from "./post";

/** Written after docs.getdbt.com/docs/deploy/webhooks, its examples. */
const dbtRun = (eventType: string, more: object) => ({
  accountId: 1,
  eventId: "wev_2L6Z3l8uPedXKPq9D2nWbPIip7Z",
  timestamp: "2023-01-31T19:28:15.742843678Z",
  eventType,
  webhookName: "test",
  data: {
    jobId: "123",
    jobName: "Daily Job (dbt build)",
    runId: "12345",
    environmentId: "1234",
    environmentName: "Production",
    projectName: "Snowflake Github Demo",
    runStatusMessage: "None",
    ...more,
  },
});

/** Written after docs.airbyte.com, Manage notifications, its examples. */
const airbyteSync = {
  workspace: { id: "b510e39b", name: "Workspace1", url: "https://link/to/ws" },
  connection: { id: "64d901a1", name: "Connection", url: "https://link/to/connection" },
  source: { id: "c0655b08", name: "Source", url: "https://link/to/source" },
  destination: { id: "5621c38f", name: "Destination", url: "https://link/to/destination" },
  jobId: 9988,
  startedAt: "2024-01-01T00:00:00Z",
  finishedAt: "2024-01-01T01:00:00Z",
  recordsEmitted: 89,
  recordsCommitted: 45,
  bytesEmittedFormatted: "1000 B",
  bytesCommittedFormatted: "90 B",
  durationFormatted: "1 hours 0 min",
};
const shownSync =
  "[Connection](https://link/to/connection) from [Source](https://link/to/source) to [Destination](https://link/to/destination)";
const shownFacts =
  "* Duration: 1 hours 0 min\n* Records: 89 read, 45 written\n* Bytes: 1000 B read, 90 B written";

export const movingDataPosts: Post[] = [
  {
    integration: "dbt",
    what: "a run has started",
    payload: dbtRun("job.run.started", {
      runReason: "Kicked off from UI by test@test.com",
      runStatus: "Running",
    }),
    topic: "Snowflake Github Demo - Production",
    text: "Run 12345 of **Daily Job (dbt build)** has started: Kicked off from UI by test@test.com",
  },
  {
    integration: "dbt",
    what: "a run has succeeded",
    payload: dbtRun("job.run.completed", { runReason: "", runStatus: "Success" }),
    topic: "Snowflake Github Demo - Production",
    text: "Run 12345 of **Daily Job (dbt build)** has **succeeded**.",
  },
  {
    integration: "dbt",
    what: "a run has failed",
    payload: dbtRun("job.run.errored", { runStatus: "Errored", runStatusMessage: "No such table" }),
    topic: "Snowflake Github Demo - Production",
    text: "Run 12345 of **Daily Job (dbt build)** has **failed**:\n\n```quote\nNo such table\n```",
  },
  {
    integration: "airbyte",
    what: "a connection has synced",
    payload: { data: { ...airbyteSync, success: true } },
    topic: "Workspace1 - Connection",
    text: `:check: ${shownSync} has **synced**.\n\n${shownFacts}`,
  },
  {
    integration: "airbyte",
    what: "a connection has failed to sync",
    payload: { data: { ...airbyteSync, success: false, errorMessage: "Something failed" } },
    topic: "Workspace1 - Connection",
    text: `:alert: ${shownSync} has **failed** to sync:\n\n\`\`\`quote\nSomething failed\n\`\`\`\n\n${shownFacts}`,
  },
  {
    integration: "airbyte",
    what: "a notice",
    payload: { text: "The schema of *Soups* has changed." },
    topic: "Airbyte",
    text: "The schema of &#42;Soups&#42; has changed.",
  },
];
