import { isRecord } from "../../../core/json/record";
import { each, eventOf, type Integration } from "../integration";
import { pick, pickList, pickText } from "../payload";
import { signedBody } from "../signature";

/* Services that deploy programs and run jobs, and more services that build and check. */

/** Webhooks of analyses. Source: docs.sonarsource.com/sonarqube-server, Webhooks. */
export const sonarqube: Integration = {
  name: "sonarqube",
  title: "SonarQube",
  signature: signedBody(["x-sonar-webhook-hmac-sha256"]),
  event: ({ payload }) => pickText(payload, "project.key") && "analysis",
  prepare: (payload) => ({
    missed: pickList(payload, "qualityGate.conditions").filter((condition) =>
      ["ERROR", "WARN"].includes(pickText(condition, "status")),
    ),
  }),
  forms: {
    analysis: {
      topic: "{project.name}{?branch.name} / {branch.name}{/branch.name}",
      text: "The analysis of [{project.name}]({project.url:url}){?branch.name} on branch {branch.name:name}{/branch.name} {?qualityGate.status}{qualityGate.status:say}{/qualityGate.status}{^qualityGate.status}ended: {status:words}{/qualityGate.status}.{?missed}\n{/missed}{#missed}\n* {metric:words}: **{status:words}**, {value|no value} is {operator:say} {errorThreshold}{/missed}",
    },
  },
  words: {
    OK: "has **passed** the quality gate",
    ERROR: "has **failed** the quality gate",
    WARN: "has passed the quality gate with **warnings**",
    GREATER_THAN: "greater than",
    LESS_THAN: "less than",
    EQUALS: "equal to",
    NOT_EQUALS: "not",
  },
};

const teamcityBuild = "[{build.buildName} #{build.buildNumber}]({build.buildStatusUrl:url})";
const teamcityTopic = "{build.projectName|TeamCity} / {build.buildName|builds}";

/** Posts of its plug-in tcWebHooks, in the form JSON. Source: github.com/tcplugins/tcWebHooks. */
export const teamcity: Integration = {
  name: "teamcity",
  title: "TeamCity",
  event: ({ payload }) => pickText(payload, "build.notifyType"),
  forms: {
    buildStarted: {
      topic: teamcityTopic,
      text: `${teamcityBuild} has started, triggered by {build.triggeredBy|somebody}.`,
    },
    ...each("", ["buildFinished", "buildSuccessful", "buildFailed", "buildFixed", "buildBroken"], {
      topic: teamcityTopic,
      text: `${teamcityBuild} {build.buildResult:say}: {build.buildStatus}`,
    }),
    buildInterrupted: { topic: teamcityTopic, text: `${teamcityBuild} was interrupted.` },
    ...each("", ["beforeBuildFinish", "changesLoaded", "buildAddedToQueue"], null),
  },
  words: { success: "has **succeeded**", failure: "has **failed**" },
};

const app = "{data.app.name|Heroku}";

/** App webhooks. Source: devcenter.heroku.com/articles/app-webhooks-schema. */
export const heroku: Integration = {
  name: "heroku",
  title: "Heroku",
  signature: signedBody(["heroku-webhook-hmac-sha256"], "", { encoding: "base64" }),
  event: ({ payload }) =>
    pickText(payload, "resource") &&
    eventOf(pickText(payload, "resource"), pickText(payload, "action")),
  forms: {
    ...each("release", ["create", "update"], {
      topic: app,
      text: "Release v{data.version} by {data.user.email|somebody}: {data.description:line} ({data.status:words})",
    }),
    ...each("build", ["create", "update"], {
      topic: app,
      text: "Build of {data.source_blob.version:short} by {data.user.email|somebody}: **{data.status:words}**",
    }),
    "app:update": null,
    ...each("", ["dyno", "formation", "addon", "addon-attachment", "collaborator", "domain"], null),
  },
};

/** Names of hosts, and whether they failed. */
const addHosts = (payload: object): object => {
  const hosts = pick(payload, "hosts");
  if (!isRecord(hosts)) return {};
  return {
    hosts: Object.entries(hosts).map(([name, host]) => ({
      name,
      state: pick(host, "failed") === true ? "failed" : "successful",
    })),
  };
};

/** Notifications of jobs. Source: docs.ansible.com/ansible-tower, Notifications, Webhook. */
export const ansibleTower: Integration = {
  name: "ansibletower",
  title: "Ansible Tower",
  event: ({ payload }) => pickText(payload, "id") && pickText(payload, "status") && "job",
  prepare: addHosts,
  forms: {
    job: {
      topic: "{name|Ansible Tower}",
      text: "{friendly_name|Job} [#{id} {name}]({url:url}) {status:say}.{?hosts}\n{/hosts}{#hosts}\n* {name}: {state:words}{/hosts}",
    },
  },
  words: {
    successful: "has **succeeded**",
    failed: "has **failed**",
    error: "has ended with an **error**",
    running: "is running",
    canceled: "was canceled",
  },
};

const execution = "[{execution.job.name|a job} #{execution.id}]({execution.href:url})";
const rundeckTopic = "{execution.project|Rundeck} / {execution.job.name|jobs}";

/** Notifications of jobs, as JSON. Source: docs.rundeck.com, Notifications, Webhook. */
export const rundeck: Integration = {
  name: "rundeck",
  title: "Rundeck",
  event: ({ payload }) => pickText(payload, "trigger"),
  forms: {
    start: { topic: rundeckTopic, text: `${execution} has started.` },
    success: { topic: rundeckTopic, text: `${execution} has **succeeded**.` },
    ...each("", ["failure", "retryablefailure"], {
      topic: rundeckTopic,
      text: `${execution} has **failed**.`,
    }),
    avgduration: {
      topic: rundeckTopic,
      text: `${execution} takes longer than it usually does.`,
    },
  },
};
