import type { Post } from "./post";

/** Written after docs.sonarsource.com/sonarqube-server, Webhooks, and recorded posts. */
const sonarAnalysis = {
  serverUrl: "http://localhost:9000",
  taskId: "AVh21JS2JepAEhwQ-b3u",
  status: "SUCCESS",
  project: { key: "myproject", name: "My Project", url: "https://mycompany.com/sonarqube" },
  branch: { name: "master", type: "LONG", isMain: true },
  qualityGate: {
    name: "SonarQube way",
    status: "ERROR",
    conditions: [
      {
        metric: "new_coverage",
        operator: "LESS_THAN",
        value: "14",
        status: "ERROR",
        errorThreshold: "65",
      },
      {
        metric: "new_duplicated_lines",
        operator: "GREATER_THAN",
        value: "1",
        status: "OK",
        errorThreshold: "3",
      },
    ],
  },
};

/** Written after github.com/tcplugins/tcWebHooks, and a recorded post. */
const teamcityBuild = {
  build: {
    buildStatus: "Tests failed: 1 (1 new), passed: 3",
    buildResult: "failure",
    buildResultPrevious: "success",
    buildResultDelta: "broken",
    notifyType: "buildFinished",
    buildFullName: "tcPlugins :: TeamCity Rest API 9.1",
    buildName: "TeamCity Rest API 9.1",
    buildId: "746",
    buildStatusUrl: "http://teamcity.example.com/viewLog.html?buildId=746",
    projectName: "tcPlugins",
    buildNumber: "18",
    triggeredBy: "admin",
  },
};

/** Written after devcenter.heroku.com/articles/app-webhooks-schema, and a recorded post. */
const herokuRelease = {
  action: "update",
  actor: { email: "user@example.com" },
  data: {
    app: { name: "sample-app" },
    description: "Deploy 8d7e6f5a",
    status: "succeeded",
    user: { email: "user@example.com" },
    version: 30,
  },
  resource: "release",
  webhook_metadata: { event: { include: "api:release" } },
};

/** Written after docs.ansible.com/ansible-tower, Notifications, and recorded posts. */
const towerJob = {
  id: 38,
  name: "Bogus Project",
  url: "https://towerhost/#/jobs/playbook/38",
  created_by: "bianca",
  status: "failed",
  friendly_name: "Job",
  hosts: {
    "127.0.0.1": { failed: false, changed: 0 },
    "db.example.com": { failed: true, changed: 0 },
  },
};

/** Written after docs.rundeck.com, Notifications, Webhook, and recorded posts. */
const rundeckSuccess = {
  trigger: "success",
  status: "succeeded",
  executionId: 3,
  execution: {
    id: 3,
    href: "https://rundeck.example.com/project/myproject/execution/show/3",
    status: "succeeded",
    project: "myproject",
    user: "admin",
    job: { id: "1", name: "Restart", group: "" },
  },
};

export const deployingPosts: Post[] = [
  {
    integration: "sonarqube",
    what: "an analysis fails the quality gate",
    payload: sonarAnalysis,
    topic: "My Project / master",
    text: "The analysis of [My Project](https://mycompany.com/sonarqube) on branch `master` has **failed** the quality gate.\n\n* new coverage: **error**, 14 is less than 65",
  },
  {
    integration: "sonarqube",
    what: "an analysis passes the quality gate",
    payload: {
      ...sonarAnalysis,
      branch: undefined,
      qualityGate: { name: "SonarQube way", status: "OK", conditions: [] },
    },
    topic: "My Project",
    text: "The analysis of [My Project](https://mycompany.com/sonarqube) has **passed** the quality gate.",
  },
  {
    integration: "teamcity",
    what: "a build fails",
    payload: teamcityBuild,
    topic: "tcPlugins / TeamCity Rest API 9.1",
    text: "[TeamCity Rest API 9.1 #18](http://teamcity.example.com/viewLog.html?buildId=746) has **failed**: Tests failed: 1 (1 new), passed: 3",
  },
  {
    integration: "teamcity",
    what: "a build starts",
    payload: { build: { ...teamcityBuild.build, notifyType: "buildStarted" } },
    topic: "tcPlugins / TeamCity Rest API 9.1",
    text: "[TeamCity Rest API 9.1 #18](http://teamcity.example.com/viewLog.html?buildId=746) has started, triggered by admin.",
  },
  {
    integration: "heroku",
    what: "a release",
    payload: herokuRelease,
    topic: "sample-app",
    text: "Release v30 by user@example.com: Deploy 8d7e6f5a (succeeded)",
  },
  {
    integration: "heroku",
    what: "a dyno",
    payload: { ...herokuRelease, resource: "dyno", action: "create" },
  },
  {
    integration: "ansibletower",
    what: "a job",
    payload: towerJob,
    topic: "Bogus Project",
    text: "Job [#38 Bogus Project](https://towerhost/#/jobs/playbook/38) has **failed**.\n\n* 127.0.0.1: successful\n* db.example.com: failed",
  },
  {
    integration: "rundeck",
    what: "a job",
    payload: rundeckSuccess,
    topic: "myproject / Restart",
    text: "[Restart #3](https://rundeck.example.com/project/myproject/execution/show/3) has **succeeded**.",
  },
];
