import type { Post } from "./post";

/** Written after github.com/reviewboard/reviewboard, its notifications, and its web API. */
const reviewRequest = {
  id: 8,
  status: "pending",
  summary: "Fix the soup",
  description: "It had **no salt**.",
  absolute_url: "https://reviews.example.com/r/8/",
  close_description: null,
  links: {
    submitter: { href: "https://reviews.example.com/api/users/drake/", title: "drake" },
    repository: { href: "https://reviews.example.com/api/repositories/1/", title: "kitchen" },
  },
};
const reviewPost = (event: string, more: object) => ({
  payload: { event, review_request: reviewRequest, ...more },
  headers: { "x-reviewboard-event": event },
});
const shownRequest = "[#8: Fix the soup](https://reviews.example.com/r/8/)";
const drake = { id: 1, username: "drake", fullname: "Drake Cook" };

/** Written after support.beanstalkapp.com, Modular webhooks, JSON examples. */
const beanstalkUser = { type: "Owner", id: 42, login: "username", name: "Name Surname" };
const beanstalkPush = {
  trigger: "push",
  payload: {
    type: "GitPush",
    before: "xxxxxxxx",
    after: "yyyyyyyy",
    branch: "branch-name",
    ref: "refs/heads/branch-name",
    repository: { id: 42, name: "repo", title: "repo", type: "GitRepository" },
    beanstalk_user: beanstalkUser,
    commits: [
      {
        type: "GitCommit",
        id: "ffffffff",
        message: "Important changes.",
        author: { name: "Name Surname", email: "user@example.org" },
        changeset_url: "https://subdomain.beanstalkapp.com/repository-name/changesets/ffffffff",
      },
    ],
  },
};

/** Written after support.beanstalkapp.com, Classic webhooks integration, and a recorded post. */
const classicPush = {
  pusher_id: 236919,
  pusher_name: "Attila Kerekes",
  branch: "master",
  ref: "refs/heads/master",
  push_is_too_large: false,
  repository: { name: "soups", url: "http://kitchen.beanstalkapp.com/soups", private: true },
  commits: [
    {
      id: "b4f598e3118d3eb69ba341de590be6b2445bdab1",
      message: "Improve all\n\nAnd taste it.",
      author: { name: "Attila Kerekes", email: "attila@example.com" },
      url: "http://kitchen.beanstalkapp.com/soups/changesets/b4f598e3",
    },
  ],
};
const classicCommit = {
  revision: 2,
  message: "Sample commit comment.",
  author: "daffy",
  author_full_name: "John Smith",
  changeset_url: "https://account.beanstalkapp.com/repo/changesets/1",
};

export const reviewingPosts: Post[] = [
  {
    integration: "reviewboard",
    what: "a request for a review",
    ...reviewPost("review_request_published", { is_new: true }),
    topic: "kitchen",
    text: `drake asks for a review of ${shownRequest}:\n\n\`\`\`quote\nIt had **no salt**.\n\`\`\``,
  },
  {
    integration: "reviewboard",
    what: "a change of a request",
    ...reviewPost("review_request_published", { is_new: false, change: { text: "Salted." } }),
    topic: "kitchen",
    text: `drake changed ${shownRequest}:\n\n\`\`\`quote\nSalted.\n\`\`\``,
  },
  {
    integration: "reviewboard",
    what: "a request is closed",
    ...reviewPost("review_request_closed", { closed_by: drake, close_type: "submitted" }),
    topic: "kitchen",
    text: `drake closed ${shownRequest} as **submitted**.`,
  },
  {
    integration: "reviewboard",
    what: "a request is opened again",
    ...reviewPost("review_request_reopened", { reopened_by: drake }),
    topic: "kitchen",
    text: `drake opened ${shownRequest} again.`,
  },
  {
    integration: "reviewboard",
    what: "a review",
    ...reviewPost("review_published", {
      review: {
        id: 9,
        ship_it: true,
        body_top: "Well done",
        body_bottom: "",
        links: { user: { href: "https://reviews.example.com/api/users/chef/", title: "chef" } },
      },
      diff_comments: [{ id: 1, first_line: 3, text: "Less *pepper*\nhere" }],
      general_comments: [{ id: 2, text: "Tastes good" }],
    }),
    topic: "kitchen",
    text: `chef reviewed ${shownRequest}: **Ship it!**\n\n\`\`\`quote\nWell done\n\`\`\`\n\n* Less &#42;pepper&#42;\n* Tastes good`,
  },
  {
    integration: "reviewboard",
    what: "a reply",
    ...reviewPost("reply_published", {
      reply: { id: 10, body_top: "Thanks", body_bottom: "", links: { user: { title: "drake" } } },
      diff_comments: [],
      general_comments: [],
    }),
    topic: "kitchen",
    text: `drake replied in ${shownRequest}\n\n\`\`\`quote\nThanks\n\`\`\``,
  },
  {
    integration: "beanstalk",
    what: "a push",
    payload: beanstalkPush,
    topic: "repo / branch-name",
    text: "Name Surname pushed 1 commit to branch `branch-name`.\n\n* Important changes. ([fffffff](https://subdomain.beanstalkapp.com/repository-name/changesets/ffffffff))",
  },
  {
    integration: "beanstalk",
    what: "a commit of SVN",
    payload: {
      trigger: "commit",
      payload: {
        type: "SubversionCommit",
        id: 42,
        message: "Commit message.",
        beanstalk_user: beanstalkUser,
        repository: { id: 42, name: "repository-name", type: "SubversionRepository" },
        changeset_url: "https://subdomain.beanstalkapp.com/repository-name/changesets/42",
      },
    },
    topic: "svn r42",
    text: "Name Surname committed [revision 42](https://subdomain.beanstalkapp.com/repository-name/changesets/42) to repository-name:\n\n```quote\nCommit message.\n```",
  },
  {
    integration: "beanstalk",
    what: "a push by a classic webhook",
    payload: classicPush,
    topic: "soups / master",
    text: "Attila Kerekes pushed 1 commit to branch `master`.\n\n* Improve all ([b4f598e](http://kitchen.beanstalkapp.com/soups/changesets/b4f598e3))",
  },
  {
    integration: "beanstalk",
    what: "a commit of SVN by a classic webhook",
    payload: { commit: JSON.stringify(classicCommit) },
    isForm: true,
    topic: "svn r2",
    text: "John Smith committed [revision 2](https://account.beanstalkapp.com/repo/changesets/1):\n\n```quote\nSample commit comment.\n```",
  },
];
