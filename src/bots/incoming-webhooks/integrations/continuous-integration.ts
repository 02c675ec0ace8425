import { each, eventOf, type Integration } from "../integration";
import { pickText } from "../payload";
import {
  sharedToken,
  signedBody,
  signedBodyList,
  signedByEither,
  signedFormField,
  signedToken,
  signedWithTime,
} from "../signature";

/* Services that build, test and deploy. */

const circleWorkflow = "[{workflow.name|workflow}]({workflow.url:url})";
const circleCommit =
  "{?pipeline.vcs.commit.subject}\n\n{pipeline.vcs.commit.author.name}: {pipeline.vcs.commit.subject:line} ({pipeline.vcs.revision:short}){/pipeline.vcs.commit.subject}";
const circleTopic =
  "{project.name|CircleCI}{?pipeline.vcs.branch} / {pipeline.vcs.branch}{/pipeline.vcs.branch}";

/** Webhooks of projects. Source: circleci.com/docs/webhooks-reference. */
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
      text: `Job {job.name:name} of workflow ${circleWorkflow} {job.status:say}.${circleCommit}`,
    },
    ping: {
      topic: "CircleCI",
      text: "CircleCI can post here: the webhook {webhook.name:name} works.",
    },
  },
  words: {
    success: "has **succeeded**",
    failed: "has **failed**",
    error: "has ended with an **error**",
    canceled: "was canceled",
    unauthorized: "was **not authorized**",
  },
};

const buildkiteBuild = "[Build #{build.number}]({build.web_url:url})";
const buildkiteTopic = "{pipeline.name|Buildkite} / {build.branch|builds}";

/**
 * Webhooks of pipelines. Source: buildkite.com/docs/apis/webhooks/pipelines and
 * buildkite.com/docs/apis/webhooks/build-events.
 */
export const buildkite: Integration = {
  name: "buildkite",
  title: "Buildkite",
  signature: signedByEither(
    sharedToken("x-buildkite-token"),
    signedWithTime("x-buildkite-signature", "timestamp", "signature"),
  ),
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
      text: `${buildkiteBuild} {build.state:say}{?build.blocked} and waits to be unblocked{/build.blocked}: {build.message:line} ({build.commit:short})`,
    },
    "build.failing": {
      topic: buildkiteTopic,
      text: `${buildkiteBuild} is **failing**: {build.message:line} ({build.commit:short})`,
    },
    ...each("", ["job.scheduled", "job.started", "job.finished", "job.activated"], null),
    ping: {
      topic: "Buildkite",
      text: "Buildkite can post here: {service.settings.url|the webhook} works.",
    },
  },
  words: { passed: "has **passed**", failed: "has **failed**", canceled: "was canceled" },
};

const netlifySite = "[{name}]({ssl_url:url})";
const netlifyTopic = "{name|Netlify}{?branch} / {branch}{/branch}";

/** Notifications of deploys. Source: docs.netlify.com/site-deploys/notifications. */
export const netlify: Integration = {
  name: "netlify",
  title: "Netlify",
  signature: signedToken("x-webhook-signature"),
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
    deploy_deleted: { topic: netlifyTopic, text: `A deploy of ${netlifySite} was deleted.` },
    deploy_request_pending: {
      topic: netlifyTopic,
      text: `A deploy of ${netlifySite} on branch {branch} waits for approval.`,
    },
    deploy_request_accepted: {
      topic: netlifyTopic,
      text: `The deploy of ${netlifySite} on branch {branch} was approved.`,
    },
    deploy_request_rejected: {
      topic: netlifyTopic,
      text: `The deploy of ${netlifySite} on branch {branch} was rejected.`,
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

/** Notifications of builds. Source: docs.travis-ci.com/user/notifications. */
export const travis: Integration = {
  name: "travis",
  title: "Travis CI",
  signature: signedFormField("signature"),
  signsByKey: true,
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

/**
 * Webhooks of notifications. Source: github.com/semaphoreio/semaphore,
 * notifications/lib/notifications/workers/webhook.
 */
export const semaphore: Integration = {
  name: "semaphore",
  title: "Semaphore",
  signature: signedByEither(
    signedBody(["x-semaphore-signature-256"]),
    signedBody(["x-semaphore-signature-256"], "sha256="),
  ),
  event: ({ payload }) => pickText(payload, "pipeline.result") && "pipeline",
  forms: {
    pipeline: {
      topic:
        "{project.name|Semaphore}{?revision.branch} / {revision.branch.name}{/revision.branch}{?revision.tag} / {revision.tag.name}{/revision.tag}{?revision.pull_request} / PR #{revision.pull_request.number} {revision.pull_request.name}{/revision.pull_request}",
      text: "Pipeline {pipeline.name:name} {pipeline.result:say}{?pipeline.error_description}: {pipeline.error_description}{/pipeline.error_description}\n{revision.sender.login}: {revision.commit_message:line} ({revision.commit_sha:short})",
    },
  },
  words: {
    passed: "has **passed**",
    failed: "has **failed**",
    stopped: "was stopped",
    canceled: "was canceled",
  },
};

const image = "{event_data.repository.repo_full_name}";
const imageList =
  "{#event_data.resources}\n* {?tag}{tag}: {/tag}{resource_url}{/event_data.resources}";

/**
 * Webhooks of projects in their default form. Source:
 * goharbor.io/docs/latest/working-with-projects/project-configuration/configure-webhooks.
 */
export const harbor: Integration = {
  name: "harbor",
  title: "Harbor",
  event: ({ payload }) => pickText(payload, "type"),
  forms: {
    PUSH_ARTIFACT: { topic: image, text: `{operator} pushed to ${image}:${imageList}` },
    PULL_ARTIFACT: null,
    DELETE_ARTIFACT: { topic: image, text: `{operator} deleted from ${image}:${imageList}` },
    SCANNING_COMPLETED: { topic: image, text: `The scan of ${image} is complete:${imageList}` },
    SCANNING_STOPPED: { topic: image, text: `The scan of ${image} was stopped:${imageList}` },
    ...each("", ["QUOTA_EXCEED", "QUOTA_WARNING"], {
      topic: image,
      text: `${image}: {event_data.custom_attributes.Details|the quota is used up}`,
    }),
    ...each("", ["REPLICATION", "TAG_RETENTION"], null),
    SCANNING_FAILED: { topic: image, text: `The scan of ${image} has **failed**:${imageList}` },
  },
};

/** Webhook notifications in their default form. Source: appveyor.com/docs/notifications. */
export const appveyor: Integration = {
  name: "appveyor",
  title: "AppVeyor",
  event: ({ payload }) => pickText(payload, "eventName"),
  forms: each("", ["build_success", "build_failure"], {
    topic:
      "{eventData.projectName|AppVeyor}{?eventData.branch} / {eventData.branch}{/eventData.branch}",
    text: "[Build {eventData.buildVersion}]({eventData.buildUrl:url}) has {?eventData.passed}**passed**{/eventData.passed}{^eventData.passed}**failed**{/eventData.passed}\n{eventData.commitAuthor}: {eventData.commitMessage:line} ({eventData.commitId:short})",
  }),
};

const buildbotTopic = "{project|general}";
const buildbotBuild = "Build [#{buildid}]({url:url}) of **{buildername}**";

/** The reporter ZulipStatusPush. Source: github.com/buildbot/buildbot, its reporters. */
export const buildbot: Integration = {
  name: "buildbot",
  title: "Buildbot",
  event: ({ payload }) => pickText(payload, "event"),
  forms: {
    new: { topic: buildbotTopic, text: `${buildbotBuild} has started.` },
    finished: { topic: buildbotTopic, text: `${buildbotBuild} {results:say}.` },
  },
  words: {
    "0": "has **succeeded**",
    "1": "has **succeeded with warnings**",
    "2": "has **failed**",
    "3": "was skipped",
    "4": "has ended with an **error**",
    "5": "is tried again",
    "6": "was canceled",
  },
};
