import { branchOf, each, eventOf, type Integration } from "../integration";
import { pickList, pickText } from "../payload";

const who = "{resource.createdBy.displayName}";
const requestTopic = "{resource.repository.name} / PR #{resource.pullRequestId} {resource.title}";
const request = "[PR #{resource.pullRequestId}]({resource._links.web.href:url})";
const workItem =
  "{?resource.workItemId}{resource.workItemId}{/resource.workItemId}{^resource.workItemId}{resource.id}{/resource.workItemId}";

/**
 * Service hooks, resource version 1.0. Source:
 * learn.microsoft.com/azure/devops/service-hooks/events.
 */
export const azureDevops: Integration = {
  name: "azuredevops",
  title: "Azure DevOps",
  event({ payload }) {
    const type = pickText(payload, "eventType");
    return type === "git.pullrequest.merged"
      ? eventOf(type, pickText(payload, "resource.status"))
      : type;
  },
  branches: ({ payload }) =>
    pickList(payload, "resource.refUpdates").flatMap((update) =>
      branchOf(pickText(update, "name")),
    ),
  forms: {
    "git.push": {
      topic: "{resource.repository.name} / {resource.refUpdates.0.name:branch}",
      text: "{resource.pushedBy.displayName} {?resource.commits}pushed {resource.commits:count commit} to{/resource.commits}{^resource.commits}changed{/resource.commits} branch {resource.refUpdates.0.name:branch}.{?resource.commits}\n{/resource.commits}{#resource.commits}\n* {comment:line} ({commitId:short}){/resource.commits}",
    },
    "git.pullrequest.created": {
      topic: requestTopic,
      text: `${who} created ${request} from {resource.sourceRefName:branch} to {resource.targetRefName:branch}{?resource.description}:\n\n{resource.description:quote}{/resource.description}{^resource.description}.{/resource.description}`,
    },
    "git.pullrequest.updated": { topic: requestTopic, text: `{message.text:line} (${request})` },
    "git.pullrequest.merged": {
      topic: requestTopic,
      text: `A merge of ${request} was tried: {resource.mergeStatus:words}.`,
    },
    "git.pullrequest.merged:completed": {
      topic: requestTopic,
      text: `{resource.closedBy.displayName|Somebody} merged ${request}.`,
    },
    "ms.vss-code.git-pullrequest-comment-event": {
      topic:
        "{resource.pullRequest.repository.name} / PR #{resource.pullRequest.pullRequestId} {resource.pullRequest.title}",
      text: "{resource.comment.author.displayName} [commented]({resource.comment._links.self.href:url}) on PR #{resource.pullRequest.pullRequestId}:\n\n{resource.comment.content:quote}",
    },
    "build.complete": {
      topic: "{resource.definition.name|builds}",
      text: "Build [{resource.definition.name} {resource.buildNumber}]({resource._links.web.href:url}) {?resource.result}{resource.result:say}{/resource.result}{^resource.result}{resource.status:say}{/resource.result}.",
    },
    ...each(
      "",
      [
        "workitem.created",
        "workitem.updated",
        "workitem.commented",
        "workitem.deleted",
        "workitem.restored",
      ],
      { topic: `Work item ${workItem}`, text: "{message.text:line}" },
    ),
  },
  words: {
    succeeded: "has **succeeded**",
    partiallySucceeded: "has **succeeded in part**",
    failed: "has **failed**",
    canceled: "was canceled",
    stopped: "was stopped",
  },
};
