import type { Integration } from "./integration";
import { alertmanager } from "./integrations/alertmanager";
import { homeAssistant, ifttt, zapier } from "./integrations/automation";
import { azureDevops } from "./integrations/azure-devops";
import { bitbucket, bitbucketServer } from "./integrations/bitbucket";
import { beanstalk, reviewBoard } from "./integrations/code-review";
import {
  appveyor,
  buildbot,
  buildkite,
  circleci,
  harbor,
  jenkins,
  netlify,
  semaphore,
  travis,
} from "./integrations/continuous-integration";
import { airbyte, dbt } from "./integrations/data-pipelines";
import { ansibleTower, heroku, rundeck, sonarqube, teamcity } from "./integrations/deployment";
import { gitea, gogs } from "./integrations/gitea";
import { github } from "./integrations/github";
import { gitlab } from "./integrations/gitlab";
import { grafana } from "./integrations/grafana";
import {
  honeybadger,
  opsgenie,
  pingdom,
  rollbar,
  statuspage,
  uptimeRobot,
} from "./integrations/incidents-and-uptime";
import { helloworld, jira, linear } from "./integrations/issue-trackers";
import { lidarr, radarr, sonarr } from "./integrations/media-libraries";
import {
  airbrake,
  azureMonitor,
  canarytokens,
  datadog,
  errbit,
  newRelic,
  papertrail,
  raygun,
  splunk,
  thinkst,
  zabbix,
} from "./integrations/monitoring";
import { pagerduty } from "./integrations/pagerduty";
import { basecamp, notion, openProject, taiga, trello, wekan } from "./integrations/project-boards";
import { transifex, wordpress } from "./integrations/publishing";
import { greenhouse } from "./integrations/recruiting";
import { sentry } from "./integrations/sentry";
import { front } from "./integrations/shared-inboxes";
import { stripe } from "./integrations/stripe";
import {
  discourse,
  freshdesk,
  intercom,
  openCollective,
  patreon,
  zendesk,
} from "./integrations/support-and-community";
import { clickUp, clubhouse, redmine, shortcut } from "./integrations/tasks";
import { updown } from "./integrations/updown";
import { uptimeKuma } from "./integrations/uptime-kuma";

const all: readonly Integration[] = [
  github,
  gitlab,
  gitea,
  sentry,
  grafana,
  alertmanager,
  pagerduty,
  uptimeKuma,
  stripe,
  jira,
  linear,
  circleci,
  jenkins,
  buildkite,
  travis,
  semaphore,
  netlify,
  harbor,
  statuspage,
  rollbar,
  honeybadger,
  opsgenie,
  pingdom,
  uptimeRobot,
  helloworld,
  bitbucket,
  bitbucketServer,
  azureDevops,
  gogs,
  sonarqube,
  teamcity,
  heroku,
  ansibleTower,
  rundeck,
  updown,
  sonarr,
  radarr,
  lidarr,
  datadog,
  newRelic,
  airbrake,
  raygun,
  papertrail,
  splunk,
  zabbix,
  thinkst,
  zendesk,
  freshdesk,
  intercom,
  discourse,
  patreon,
  wordpress,
  trello,
  taiga,
  wekan,
  openProject,
  notion,
  basecamp,
  appveyor,
  canarytokens,
  zapier,
  ifttt,
  homeAssistant,
  reviewBoard,
  beanstalk,
  buildbot,
  errbit,
  dbt,
  airbyte,
  clickUp,
  shortcut,
  clubhouse,
  redmine,
  greenhouse,
  openCollective,
  azureMonitor,
  front,
  transifex,
];

/** The services that the server knows, by the last part of the address that they post to. */
export const integrations: ReadonlyMap<string, Integration> = new Map(
  all.map((one) => [one.name, one]),
);

/** Integrations with a form of their own, without events: every post becomes a message. */
export const plainIntegrations = { slack: "slack_incoming", json: "json" } as const;

/** Names that the server itself uses. */
export const isTaken = (name: string) =>
  integrations.has(name) || Object.values(plainIntegrations).some((taken) => taken === name);
