import { each, type Integration } from "../integration";
import { pick, pickText } from "../payload";
import { signedBody } from "../signature";

/* Services that move data from one store to another and transform it. */

const dbtTopic = "{data.projectName|dbt} - {data.environmentName|runs}";
const dbtRun = "Run {data.runId} of **{data.jobName|a job}**";

/** Webhooks of jobs. Source: docs.getdbt.com/docs/deploy/webhooks. */
export const dbt: Integration = {
  name: "dbt",
  title: "dbt",
  signature: signedBody(["authorization"]),
  event: ({ payload }) => pickText(payload, "eventType"),
  prepare(payload) {
    const message = pickText(payload, "data.runStatusMessage");
    return { problem: message === "None" ? "" : message };
  },
  forms: {
    "job.run.started": {
      topic: dbtTopic,
      text: `${dbtRun} has started{?data.runReason}: {data.runReason}{/data.runReason}{^data.runReason}.{/data.runReason}`,
    },
    ...each("", ["job.run.completed", "job.run.errored"], {
      topic: dbtTopic,
      text: `${dbtRun} {data.runStatus:say}{?problem}:\n\n{problem:quote}{/problem}{^problem}.{/problem}`,
    }),
  },
  words: {
    Success: "has **succeeded**",
    Errored: "has **failed**",
    Cancelled: "was canceled",
  },
};

const airbyteTopic = "{data.workspace.name|Airbyte} - {data.connection.name|syncs}";
const airbyteWay =
  "[{data.connection.name|A connection}]({data.connection.url:url}) from [{data.source.name}]({data.source.url:url}) to [{data.destination.name}]({data.destination.url:url})";
const airbyteFacts =
  "{?data.durationFormatted}\n* Duration: {data.durationFormatted}{/data.durationFormatted}\n* Records: {data.recordsEmitted|0} read, {data.recordsCommitted|0} written\n* Bytes: {data.bytesEmittedFormatted|0 B} read, {data.bytesCommittedFormatted|0 B} written";

/**
 * Notifications of a workspace. Source: docs.airbyte.com, Manage notifications, and
 * github.com/airbytehq/airbyte-platform, airbyte-notification.
 */
export const airbyte: Integration = {
  name: "airbyte",
  title: "Airbyte",
  event({ payload }) {
    const isSuccess = pick(payload, "data.success");
    if (typeof isSuccess === "boolean") return isSuccess ? "succeeded" : "failed";
    return pickText(payload, "text") && "notice";
  },
  forms: {
    succeeded: {
      topic: airbyteTopic,
      text: `:check: ${airbyteWay} has **synced**.\n${airbyteFacts}`,
    },
    failed: {
      topic: airbyteTopic,
      text: `:alert: ${airbyteWay} has **failed** to sync{?data.errorMessage}:\n\n{data.errorMessage:quote}\n{/data.errorMessage}{^data.errorMessage}.\n{/data.errorMessage}${airbyteFacts}`,
    },
    notice: { topic: "Airbyte", text: "{text:lines}" },
  },
};
