import type { Post } from "./post";

/** Written after circleci.com/docs/webhooks-reference, its sample of a workflow. */
const circleWorkflow = {
  id: "3888f21b-eaa7-38e3-8f3d-75a63bba8895",
  type: "workflow-completed",
  happened_at: "2021-09-01T22:49:34.317Z",
  webhook: { id: "cf8c4fdd-0587-4da1-b4ca-4846e9640af9", name: "Sample Webhook" },
  project: { id: "84996744-a854-4f5e-aea3-04e2851dc1d2", name: "webhook-service" },
  organization: { id: "f22b6566-597d-46d5-ba74-99ef5bb3d85c", name: "circleci" },
  workflow: {
    id: "fda08377-fe7e-46b1-8992-3a7aaecac9c3",
    name: "welcome",
    url: "https://app.circleci.com/pipelines/circleci/webhook-service/130",
    status: "success",
  },
  pipeline: {
    id: "1285fe1d-d3a6-44fc-8886-8979558254c4",
    number: 130,
    vcs: {
      revision: "1dc6aa69429bff4806ad6afe58d3d8f57e25973e",
      branch: "main",
      commit: {
        subject: "Description of change",
        author: { name: "Author Name", email: "author.email@example.com" },
      },
    },
  },
};

/** Written after buildkite.com/docs/apis/webhooks/build-events. */
const buildkiteBuild = {
  event: "build.finished",
  build: {
    id: "4c9b6c2f",
    web_url: "https://buildkite.com/acme/my-pipeline/builds/27",
    number: 27,
    state: "passed",
    message: "Bumping to version 0.2-beta.6",
    commit: "6cb6f4a3b8c1d1c8e1c3fb2e7a59fbe0f2b0a3e5",
    branch: "main",
  },
  pipeline: { name: "My Pipeline", slug: "my-pipeline" },
  sender: { id: "8a7693f8", name: "Keith Pitt" },
};

/**
 * Written after docs.netlify.com/site-deploys/notifications, and a recorded post in
 * gitlab.com/jamietanna/www-api.
 */
const netlifyDeploy = {
  id: "5a6b5d",
  site_id: "1b8a3d",
  state: "ready",
  name: "objective-jepsen",
  url: "http://objective-jepsen.netlify.app",
  ssl_url: "https://objective-jepsen.netlify.app",
  branch: "master",
  error_message: null,
};

/**
 * Written after plugins.jenkins.io/notification, its sample in JSON, with
 * gist.github.com/modcab/54972e9d46a85b9e3647.
 */
const jenkinsBuild = {
  name: "asgard",
  url: "job/asgard/",
  build: {
    full_url: "http://localhost:8080/job/asgard/18/",
    number: 18,
    phase: "FINALIZED",
    status: "SUCCESS",
    url: "job/asgard/18/",
    scm: { branch: "origin/master", commit: "c6d86dc654b12425e706bcf951adfe5a8627a517" },
  },
};

/**
 * Written after docs.travis-ci.com/user/notifications, and recorded posts in
 * gist.github.com/johnallen3d/bae281b2256b1e9921b3.
 */
const travisBuild = {
  id: 1,
  number: "1",
  status: null,
  status_message: "Passed",
  branch: "master",
  author_name: "Sven Fuchs",
  build_url: "https://app.travis-ci.com/svenfuchs/minimal/builds/1",
  compare_url: "https://github.com/svenfuchs/minimal/compare/master...develop",
  repository: { id: 1, name: "minimal", owner_name: "svenfuchs" },
};

/** Written after Semaphore itself, notifications/lib/notifications/workers/webhook. */
const semaphorePipeline = {
  version: "1.0.0",
  organization: { name: "semaphore" },
  project: { name: "notifications" },
  revision: {
    sender: { login: "radwo" },
    reference_type: "branch",
    reference: "refs/heads/rw/webhook_impl",
    commit_sha: "2d9f5fcec1ca7c68fa7bd44dd58ec4ff65814563",
    commit_message: "Implement webhooks for SemaphoreCI",
    branch: { name: "rw/webhook_impl", commit_range: "5c11e29...2d9f5fc" },
    pull_request: null,
    tag: null,
  },
  pipeline: { name: "Pipeline", result: "failed", error_description: "" },
};

/** Written after goharbor.io/docs/latest, Configure webhook notifications, its sample of a push. */
const harborPush = {
  type: "PUSH_ARTIFACT",
  occur_at: 1586922308,
  operator: "admin",
  event_data: {
    resources: [{ tag: "latest", resource_url: "hub.harbor.com/test-webhook/debian:latest" }],
    repository: {
      name: "debian",
      namespace: "test-webhook",
      repo_full_name: "test-webhook/debian",
    },
  },
};

/** Written after appveyor.com/docs/notifications, its sample. */
const appveyorBuild = {
  eventName: "build_success",
  eventData: {
    passed: true,
    failed: false,
    status: "Success",
    projectName: "test-web",
    buildVersion: "1.0.26",
    repositoryName: "JohnSmith/test-web",
    branch: "master",
    commitId: "ad2366f0c4",
    commitAuthor: "John Smith",
    commitMessage: "Some changes to appveyor.yml",
    buildUrl: "https://ci.appveyor.com/project/JohnSmith/test-web/build/1.0.26",
  },
};

/** Written after github.com/buildbot/buildbot, its reporter ZulipStatusPush. */
const buildbotBuild = {
  buildid: 33,
  buildername: "runtests",
  url: "http://exampleurl.com/#builders/1/builds/33",
  project: "soups",
};

export const buildingPosts: Post[] = [
  {
    integration: "circleci",
    what: "a workflow has ended",
    payload: circleWorkflow,
    topic: "webhook-service / main",
    text: "Workflow [welcome](https://app.circleci.com/pipelines/circleci/webhook-service/130) of pipeline #130 has **succeeded**.\n\nAuthor Name: Description of change (1dc6aa6)",
  },
  {
    integration: "circleci",
    what: "a job has ended",
    payload: {
      ...circleWorkflow,
      type: "job-completed",
      job: { name: "test", number: 136, status: "failed" },
    },
    topic: "webhook-service / main",
    text: "Job `test` of workflow [welcome](https://app.circleci.com/pipelines/circleci/webhook-service/130) has **failed**.\n\nAuthor Name: Description of change (1dc6aa6)",
  },
  {
    integration: "circleci",
    what: "a job whose name is no word",
    payload: {
      ...circleWorkflow,
      type: "job-completed",
      job: { name: "build (linux) / test", number: 137, status: "success" },
    },
    topic: "webhook-service / main",
    text: "Job `build (linux) / test` of workflow [welcome](https://app.circleci.com/pipelines/circleci/webhook-service/130) has **succeeded**.\n\nAuthor Name: Description of change (1dc6aa6)",
  },
  {
    integration: "buildkite",
    what: "a build has ended",
    payload: buildkiteBuild,
    topic: "My Pipeline / main",
    text: "[Build #27](https://buildkite.com/acme/my-pipeline/builds/27) has **passed**: Bumping to version 0.2-beta.6 (6cb6f4a)",
  },
  {
    integration: "buildkite",
    what: "a build is blocked",
    payload: { ...buildkiteBuild, build: { ...buildkiteBuild.build, blocked: true } },
    topic: "My Pipeline / main",
    text: "[Build #27](https://buildkite.com/acme/my-pipeline/builds/27) has **passed** and waits to be unblocked: Bumping to version 0.2-beta.6 (6cb6f4a)",
  },
  {
    integration: "buildkite",
    what: "a job of a build",
    payload: { ...buildkiteBuild, event: "job.started", job: { id: "1" } },
  },
  {
    integration: "circleci",
    what: "a workflow was not authorized",
    payload: {
      ...circleWorkflow,
      workflow: { ...circleWorkflow.workflow, status: "unauthorized" },
    },
    topic: "webhook-service / main",
    text: "Workflow [welcome](https://app.circleci.com/pipelines/circleci/webhook-service/130) of pipeline #130 was **not authorized**.\n\nAuthor Name: Description of change (1dc6aa6)",
  },
  {
    integration: "netlify",
    what: "a deploy waits for approval",
    headers: { "x-netlify-event": "deploy_request_pending" },
    payload: netlifyDeploy,
    topic: "objective-jepsen / master",
    text: "A deploy of [objective-jepsen](https://objective-jepsen.netlify.app/) on branch master waits for approval.",
  },
  {
    integration: "netlify",
    what: "a deploy is ready",
    headers: { "x-netlify-event": "deploy_created" },
    payload: netlifyDeploy,
    topic: "objective-jepsen / master",
    text: "The build [objective-jepsen](https://objective-jepsen.netlify.app/) on branch master is now ready.",
  },
  {
    integration: "netlify",
    what: "a deploy has failed",
    headers: { "x-netlify-event": "deploy_failed" },
    payload: { ...netlifyDeploy, state: "error", error_message: "Build script returned 2" },
    topic: "objective-jepsen / master",
    text: "The build [objective-jepsen](https://objective-jepsen.netlify.app/) on branch master has **failed**: Build script returned 2",
  },
  {
    integration: "jenkins",
    what: "a build has ended",
    payload: jenkinsBuild,
    topic: "asgard",
    text: "[asgard #18](http://localhost:8080/job/asgard/18/) has **succeeded**.\n`origin/master` at c6d86dc",
  },
  {
    integration: "jenkins",
    what: "a build is complete, which is told of when it is finalized",
    payload: { ...jenkinsBuild, build: { ...jenkinsBuild.build, phase: "COMPLETED" } },
  },
  {
    integration: "travis",
    what: "a build has passed",
    payload: travisBuild,
    topic: "minimal / master",
    text: "Author: Sven Fuchs\nBuild status: Passed :thumbs_up:\nDetails: [changes](https://github.com/svenfuchs/minimal/compare/master...develop), [build log](https://app.travis-ci.com/svenfuchs/minimal/builds/1)",
  },
  {
    integration: "semaphore",
    what: "a pipeline has failed",
    payload: semaphorePipeline,
    topic: "notifications / rw/webhook_impl",
    text: "Pipeline `Pipeline` has **failed**\nradwo: Implement webhooks for SemaphoreCI (2d9f5fc)",
  },
  {
    integration: "semaphore",
    what: "a pipeline of a pull request is canceled",
    payload: {
      ...semaphorePipeline,
      revision: {
        ...semaphorePipeline.revision,
        reference_type: "pull_request",
        branch: null,
        pull_request: { number: 7, name: "Webhooks", branch_name: "rw/webhook_impl" },
      },
      pipeline: { name: "Pipeline", result: "canceled", error_description: "" },
    },
    topic: "notifications / PR #7 Webhooks",
    text: "Pipeline `Pipeline` was canceled\nradwo: Implement webhooks for SemaphoreCI (2d9f5fc)",
  },
  {
    integration: "semaphore",
    what: "a pipeline of a tag has passed",
    payload: {
      ...semaphorePipeline,
      revision: { ...semaphorePipeline.revision, branch: null, tag: { name: "v1.2" } },
      pipeline: { name: "Release", result: "passed", error_description: "" },
    },
    topic: "notifications / v1.2",
    text: "Pipeline `Release` has **passed**\nradwo: Implement webhooks for SemaphoreCI (2d9f5fc)",
  },
  {
    integration: "harbor",
    what: "an image without a tag is scanned",
    payload: {
      ...harborPush,
      type: "SCANNING_COMPLETED",
      event_data: {
        ...harborPush.event_data,
        resources: [{ digest: "sha256:0b5a", resource_url: "hub.harbor.com/debian@sha256:0b5a" }],
      },
    },
    topic: "test-webhook/debian",
    text: "The scan of test-webhook/debian is complete:\n* hub.harbor.com/debian@sha256:0b5a",
  },
  {
    integration: "harbor",
    what: "an image is pushed",
    payload: harborPush,
    topic: "test-webhook/debian",
    text: "admin pushed to test-webhook/debian:\n* latest: hub.harbor.com/test-webhook/debian:latest",
  },
  {
    integration: "appveyor",
    what: "a build has passed",
    payload: appveyorBuild,
    topic: "test-web / master",
    text: "[Build 1.0.26](https://ci.appveyor.com/project/JohnSmith/test-web/build/1.0.26) has **passed**\nJohn Smith: Some changes to appveyor.yml (ad2366f)",
  },
  {
    integration: "appveyor",
    what: "a build has failed",
    payload: {
      eventName: "build_failure",
      eventData: { ...appveyorBuild.eventData, passed: false, failed: true, status: "Failed" },
    },
    topic: "test-web / master",
    text: "[Build 1.0.26](https://ci.appveyor.com/project/JohnSmith/test-web/build/1.0.26) has **failed**\nJohn Smith: Some changes to appveyor.yml (ad2366f)",
  },
  {
    integration: "buildbot",
    what: "a build has started",
    payload: { ...buildbotBuild, event: "new", timestamp: 1562954048 },
    topic: "soups",
    text: "Build [#33](http://exampleurl.com/#builders/1/builds/33) of **runtests** has started.",
  },
  {
    integration: "buildbot",
    what: "a build of no project has succeeded",
    payload: { ...buildbotBuild, event: "finished", project: "", results: 0 },
    topic: "general",
    text: "Build [#33](http://exampleurl.com/#builders/1/builds/33) of **runtests** has **succeeded**.",
  },
  {
    integration: "buildbot",
    what: "a build was canceled",
    payload: { ...buildbotBuild, event: "finished", results: 6 },
    topic: "soups",
    text: "Build [#33](http://exampleurl.com/#builders/1/builds/33) of **runtests** was canceled.",
  },
];
