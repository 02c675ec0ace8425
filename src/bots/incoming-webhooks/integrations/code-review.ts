import { isRecord } from "../../../core/json/record";
import { eventOf, type Integration } from "../integration";
import { jsonIn, pick, pickText } from "../payload";
import { signedBody } from "../signature";

/* Services that keep source code, in which changes of it are reviewed. */

const reviewTopic = "{review_request.links.repository.title|Review Board}";
const reviewed =
  "[#{review_request.id}: {review_request.summary}]({review_request.absolute_url:url})";
const requester = "{review_request.links.submitter.title|Somebody}";
const comments = "{#diff_comments}\n* {text:line}{/diff_comments}";
const generalComments = "{#general_comments}\n* {text:line}{/general_comments}";
const quoteOf = (path: string) => `{?${path}}:\n\n{${path}:quote}{/${path}}{^${path}}.{/${path}}`;

/**
 * Webhooks of a repository, as JSON or as a form. Source: github.com/reviewboard/reviewboard, its
 * notifications, and the resources of its web API.
 */
export const reviewBoard: Integration = {
  name: "reviewboard",
  title: "Review Board",
  signature: signedBody(["x-hub-signature"], "sha1=", { algorithm: "sha1" }),
  event({ payload }) {
    const event = pickText(payload, "event");
    return eventOf(event, pick(payload, "is_new") === true ? "new" : null);
  },
  forms: {
    "review_request_published:new": {
      topic: reviewTopic,
      text: `${requester} asks for a review of ${reviewed}${quoteOf("review_request.description")}`,
    },
    review_request_published: {
      topic: reviewTopic,
      text: `${requester} changed ${reviewed}${quoteOf("change.text")}`,
    },
    review_request_closed: {
      topic: reviewTopic,
      text: `{closed_by.username|Somebody} closed ${reviewed} as **{close_type}**${quoteOf("review_request.close_description")}`,
    },
    review_request_reopened: {
      topic: reviewTopic,
      text: `{reopened_by.username|Somebody} opened ${reviewed} again.`,
    },
    review_published: {
      topic: reviewTopic,
      text: `{review.links.user.title|Somebody} reviewed ${reviewed}{?review.ship_it}: **Ship it!**{/review.ship_it}{?review.body_top}\n\n{review.body_top:quote}\n{/review.body_top}${comments}${generalComments}{?review.body_bottom}\n\n{review.body_bottom:quote}{/review.body_bottom}`,
    },
    reply_published: {
      topic: reviewTopic,
      text: `{reply.links.user.title|Somebody} replied in ${reviewed}{?reply.body_top}\n\n{reply.body_top:quote}\n{/reply.body_top}${comments}${generalComments}{?reply.body_bottom}\n\n{reply.body_bottom:quote}{/reply.body_bottom}`,
    },
  },
};

/** The payload of a classic webhook, a push or a commit of SVN, by the names of a modular one. */
function beanstalkPayload(posted: unknown): object {
  const commit = jsonIn(pickText(posted, "commit"));
  if (commit !== undefined) {
    const name = pick(commit, "author_full_name");
    return { ...recordOf(commit), id: pick(commit, "revision"), beanstalk_user: { name } };
  }
  return { ...recordOf(posted), beanstalk_user: { name: pick(posted, "pusher_name") } };
}

const recordOf = (value: unknown) => (isRecord(value) ? value : {});

/**
 * Modular webhooks of a repository, and classic ones, which post a form. Source:
 * support.beanstalkapp.com, Modular webhooks, JSON examples, and Classic webhooks integration.
 */
export const beanstalk: Integration = {
  name: "beanstalk",
  title: "Beanstalk",
  event({ payload }) {
    if (pickText(payload, "commit")) return "commit";
    return pickText(payload, "trigger") || (pickText(payload, "branch") && "push");
  },
  branches({ payload }) {
    const branch = pickText(payload, "payload.branch") || pickText(payload, "branch");
    return branch === "" ? [] : [branch];
  },
  prepare: (posted) =>
    pickText(posted, "trigger") === "" ? { payload: beanstalkPayload(posted) } : {},
  forms: {
    push: {
      topic: "{payload.repository.name|Beanstalk} / {payload.branch}",
      text: "{payload.beanstalk_user.name|Somebody} pushed {payload.commits:count commit} to branch {payload.branch:name}.\n{#payload.commits}\n* {message:line} ([{id:short}]({changeset_url:url}{url:url})){/payload.commits}",
    },
    commit: {
      topic: "svn r{payload.id}",
      text: "{payload.beanstalk_user.name|Somebody} committed [revision {payload.id}]({payload.changeset_url:url}){?payload.repository.name} to {payload.repository.name}{/payload.repository.name}:\n\n{payload.message:quote}",
    },
  },
};
