import { eventOf, type Integration } from "../integration";
import { pickText } from "../payload";
import { sharedToken, signedBodyList } from "../signature";

/* Services that build, test and deploy. */

const circleWorkflow = "[{workflow.name|workflow}]({workflow.url:url})";
const circleCommit =
  "{?pipeline.vcs.commit.subject}\n\n{pipeline.vcs.commit.author.name}: {pipeline.vcs.commit.subject:line} ({pipeline.vcs.revision:short}){/pipeline.vcs.commit.subject}";
const circleTopic =
  "{project.name|CircleCI}{?pipeline.vcs.branch} / {pipeline.vcs.branch}{/pipeline.vcs.branch}";

/** Webhooks of projects. Source: circleci.com/docs, Webhooks reference. */
export const circleci: Integration = {
  name: "circleci",
  title: "CircleCI",
  signature: signedBodyList("circleci-signature", "v1="),
  event: ({ payload }) => pickText(payload, "type"),
  forms: {
    "workflow-completed": {
      topic: circleTopic,
      text: `Workflow ${circleWorkflow} of pipeline #{pipeline.number} {workflow.status:say}.${circleCommit}`,
    },
    "job-completed": {
      topic: circleTopic,
      text: `Job \`{job.name:segment}\` of workflow ${circleWorkflow} {job.status:say}.${circleCommit}`,
    },
    ping: {
      topic: "CircleCI",
      text: "CircleCI can post here: the webhook {webhook.name:name} works.",
    },
  },
  words: { success: "has **succeeded**", failed: "has **failed**", canceled: "was canceled" },
};

const buildkiteBuild = "[Build #{build.number}]({build.web_url:url})";
const buildkiteTopic = "{pipeline.name|Buildkite} / {build.branch|builds}";

/** Webhooks of pipelines. Source: buildkite.com/docs, Webhooks, build and job events. */
export const buildkite: Integration = {
  name: "buildkite",
  title: "Buildkite",
  signature: sharedToken("x-buildkite-token"),
  event: ({ payload }) => pickText(payload, "event"),
  forms: {
    "build.scheduled": {
      topic: buildkiteTopic,
      text: `${buildkiteBuild} is scheduled: {build.message:line} ({build.commit:short})`,
    },
    "build.running": {
      topic: buildkiteTopic,
      text: `${buildkiteBuild} is running: {build.message:line} ({build.commit:short})`,
    },
    "build.finished": {
      topic: buildkiteTopic,
      text: `${buildkiteBuild} {build.state:say}: {build.message:line} ({build.commit:short})`,
    },
    ping: {
      topic: "Buildkite",
      text: "Buildkite can post here: {service.settings.url|the webhook} works.",
    },
  },
  words: { passed: "has **passed**", failed: "has **failed**", canceled: "was canceled" },
};

const netlifySite = "[{name}]({ssl_url:url})";
const netlifyTopic = "{name|Netlify}{?branch} / {branch}{/branch}";

/** Notifications of deploys. Source: docs.netlify.com, Deploy notifications. */
export const netlify: Integration = {
  name: "netlify",
  title: "Netlify",
  event: ({ payload, header }) =>
    pickText(payload, "site_id") && (header("x-netlify-event") ?? pickText(payload, "state")),
  forms: {
    deploy_building: {
      topic: netlifyTopic,
      text: `The build ${netlifySite} on branch {branch} is now building.`,
    },
    deploy_created: {
      topic: netlifyTopic,
      text: `The build ${netlifySite} on branch {branch} is now ready.`,
    },
    deploy_failed: {
      topic: netlifyTopic,
      text: `The build ${netlifySite} on branch {branch} has **failed**{?error_message}: {error_message}{/error_message}`,
    },
    deploy_locked: { topic: netlifyTopic, text: `Deploys of ${netlifySite} are locked.` },
    deploy_unlocked: { topic: netlifyTopic, text: `Deploys of ${netlifySite} are unlocked.` },
  },
};

const jenkinsBuild = "[{name} #{build.number}]({build.full_url:url})";
const jenkinsCommit =
  "{?build.scm.commit}\n{build.scm.branch:branch} at {build.scm.commit:short}{/build.scm.commit}";

/** Posts of its Notification plug-in. Source: plugins.jenkins.io/notification. */
export const jenkins: Integration = {
  name: "jenkins",
  title: "Jenkins",
  event: ({ payload }) =>
    eventOf(pickText(payload, "build.phase"), pickText(payload, "build.status")),
  forms: {
    QUEUED: null,
    STARTED: { topic: "{name|Jenkins}", text: `${jenkinsBuild} has started.${jenkinsCommit}` },
    COMPLETED: null,
    FINALIZED: {
      topic: "{name|Jenkins}",
      text: `${jenkinsBuild} {build.status:say}.${jenkinsCommit}`,
    },
  },
  words: {
    SUCCESS: "has **succeeded**",
    FAILURE: "has **failed**",
    UNSTABLE: "is **unstable**",
    ABORTED: "was aborted",
    NOT_BUILT: "was not built",
  },
};

/** Notifications of builds. Source: docs.travis-ci.com, Configuring webhook notifications. */
export const travis: Integration = {
  name: "travis",
  title: "Travis CI",
  event: ({ payload }) => (pickText(payload, "status_message") === "" ? "" : "build"),
  forms: {
    build: {
      topic: "{repository.name|builds} / {branch|builds}",
      text: "Author: {author_name}\nBuild status: {status_message:say}\nDetails: [changes]({compare_url:url}), [build log]({build_url:url})",
    },
  },
  words: {
    Passed: "Passed :thumbs_up:",
    Fixed: "Fixed :thumbs_up:",
    Failed: "Failed :thumbs_down:",
    Broken: "Broken :thumbs_down:",
    "Still Failing": "Still Failing :thumbs_down:",
    Errored: "Errored :thumbs_down:",
  },
};

/** Webhooks of notifications. Source: docs.semaphoreci.com, Webhook notifications. */
export const semaphore: Integration = {
  name: "semaphore",
  title: "Semaphore",
  event: ({ payload }) => pickText(payload, "pipeline.result") && "pipeline",
  forms: {
    pipeline: {
      topic:
        "{project.name|Semaphore}{?revision.branch.name} / {revision.branch.name}{/revision.branch.name}",
      text: "Pipeline {pipeline.name:name} {pipeline.result:say}{?pipeline.error_description}: {pipeline.error_description}{/pipeline.error_description}\n{revision.sender.login}: {revision.commit_message:line} ({revision.commit_sha:short})",
    },
  },
  words: { passed: "has **passed**", failed: "has **failed**", stopped: "was stopped" },
};

const image = "{event_data.repository.repo_full_name}";
const imageList = "{#event_data.resources}\n* {tag|digest}: {resource_url}{/event_data.resources}";

/** Webhooks of projects. Source: goharbor.io/docs, Configure webhook notifications. */
export const harbor: Integration = {
  name: "harbor",
  title: "Harbor",
  event: ({ payload }) => pickText(payload, "type"),
  forms: {
    PUSH_ARTIFACT: { topic: image, text: `{operator} pushed to ${image}:${imageList}` },
    PULL_ARTIFACT: null,
    DELETE_ARTIFACT: { topic: image, text: `{operator} deleted from ${image}:${imageList}` },
    SCANNING_COMPLETED: { topic: image, text: `The scan of ${image} is complete:${imageList}` },
    SCANNING_FAILED: { topic: image, text: `The scan of ${image} has **failed**:${imageList}` },
  },
};
