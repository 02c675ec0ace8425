import { type EventForm, type EventForms, each, eventOf, type Integration } from "../integration";
import { pick, pickText } from "../payload";
import { signedBody, signedWithAddress } from "../signature";
import { textOf } from "./support-and-community";

/* Services in which teams plan projects, on boards and in pages. */

const who = "{action.memberCreator.fullName|Somebody}";
const card = "[{action.data.card.name}](https://trello.com/c/{action.data.card.shortLink:segment})";
const board = "{action.data.board.name|Trello}";
const trelloForm = (text: string) => ({ topic: board, text: `${who} ${text}` });

/** Member of a card that an update has changed, or where it is now. */
function trelloChange(payload: unknown): string {
  if (pick(payload, "action.data.listBefore") !== undefined) return "list";
  const closed = pick(payload, "action.data.old.closed");
  if (typeof closed === "boolean") return closed ? "reopened" : "archived";
  const members = ["name", "desc", "due", "dueComplete", "pos"];
  return (
    members.find((one) => {
      const old = pick(payload, "action.data.old");
      return typeof old === "object" && old !== null && Object.hasOwn(old, one);
    }) ?? "other"
  );
}

/** Webhooks of a board. Source: developer.atlassian.com/cloud/trello/guides/rest-api/webhooks. */
export const trello: Integration = {
  name: "trello",
  title: "Trello",
  signature: signedWithAddress("x-trello-webhook"),
  event({ payload }) {
    const type = pickText(payload, "action.type");
    return eventOf(type, type === "updateCard" ? trelloChange(payload) : null);
  },
  forms: {
    createCard: trelloForm(`created ${card} in {action.data.list.name}.`),
    copyCard: trelloForm(`copied a card to ${card}.`),
    deleteCard: trelloForm("deleted a card of {action.data.list.name|the board}."),
    commentCard: trelloForm(`commented on ${card}:\n\n{action.data.text:quote}`),
    "updateCard:list": trelloForm(
      `moved ${card} from {action.data.listBefore.name} to {action.data.listAfter.name}.`,
    ),
    "updateCard:name": trelloForm(`renamed {action.data.old.name} to ${card}.`),
    "updateCard:desc": trelloForm(
      `changed the description of ${card}:\n\n{action.data.card.desc:quote}`,
    ),
    "updateCard:due": trelloForm(
      `{?action.data.card.due}set the due date of ${card} to {action.data.card.due:time}{/action.data.card.due}{^action.data.card.due}took the due date of ${card} away{/action.data.card.due}.`,
    ),
    "updateCard:dueComplete": trelloForm(
      `marked ${card} as {?action.data.card.dueComplete}done{/action.data.card.dueComplete}{^action.data.card.dueComplete}not done{/action.data.card.dueComplete}.`,
    ),
    "updateCard:archived": trelloForm(`archived ${card}.`),
    "updateCard:reopened": trelloForm(`took ${card} back from the archive.`),
    updateCard: null,
    addMemberToCard: trelloForm(`added {action.member.fullName|somebody} to ${card}.`),
    removeMemberFromCard: trelloForm(`removed {action.member.fullName|somebody} from ${card}.`),
    addAttachmentToCard: trelloForm(
      `attached [{action.data.attachment.name}]({action.data.attachment.url:url}) to ${card}.`,
    ),
    addChecklistToCard: trelloForm(`added the checklist {action.data.checklist.name} to ${card}.`),
    createCheckItem: trelloForm(
      `added {action.data.checkItem.name} to the checklist {action.data.checklist.name} of ${card}.`,
    ),
    updateCheckItemStateOnCard: trelloForm(
      `marked {action.data.checkItem.name} of ${card} as {action.data.checkItem.state}.`,
    ),
    createList: trelloForm("added the list {action.data.list.name}."),
    addMemberToBoard: trelloForm("added {action.member.fullName|somebody} to the board."),
    removeMemberFromBoard: trelloForm("removed {action.member.fullName|somebody} from the board."),
    ...each("", ["updateBoard", "updateList", "updateCheckItem", "addLabelToCard"], null),
  },
};

const taigaName =
  "{?data.subject}{data.subject}{/data.subject}{^data.subject}{data.name|a page}{/data.subject}";
const taigaForm = (text: string) => ({ topic: "{data.project.name|Taiga}", text });
const taigaThing = `{type:say} [${taigaName}]({data.permalink:url})`;
const taigaForms = Object.fromEntries(
  ["milestone", "epic", "userstory", "task", "issue", "wikipage", "relateduserstory"].flatMap(
    (type): [string, EventForms[string]][] => [
      [`${type}:create`, taigaForm(`{by.full_name|Somebody} created the ${taigaThing}.`)],
      [
        `${type}:change`,
        taigaForm(
          `{by.full_name|Somebody} {?change.comment}commented on{/change.comment}{^change.comment}changed{/change.comment} the ${taigaThing}{?change.diff.status.to}, which is **{change.diff.status.to}** now{/change.diff.status.to}{?change.comment}:\n\n{change.comment:quote}{/change.comment}{^change.comment}.{/change.comment}`,
        ),
      ],
      [`${type}:delete`, taigaForm(`{by.full_name|Somebody} deleted the {type:say} ${taigaName}.`)],
    ],
  ),
);

/** Webhooks of a project. Source: docs.taiga.io/webhooks.html. */
export const taiga: Integration = {
  name: "taiga",
  title: "Taiga",
  signature: signedBody(["x-taiga-webhook-signature"], "", { algorithm: "sha1" }),
  event: ({ payload }) =>
    pickText(payload, "type") && eventOf(pickText(payload, "type"), pickText(payload, "action")),
  forms: {
    ...taigaForms,
    test: { topic: "Taiga", text: "{by.full_name|Taiga} can post here." },
  },
  words: {
    userstory: "user story",
    relateduserstory: "related user story",
    wikipage: "wiki page",
  },
};

/** Outgoing webhooks of a board. Source: github.com/wekan/wekan/wiki/Webhook-data. */
export const wekan: Integration = {
  name: "wekan",
  title: "WeKan",
  event({ payload }) {
    const description = pickText(payload, "description");
    return description.startsWith("act-") ? eventOf("activity", description) : description;
  },
  prepare: (payload) => ({ address: pickText(payload, "text").split("\n").at(-1) ?? "" }),
  forms: {
    activity: {
      topic: "{card|WeKan}",
      text: "{text:line}{?address} ([open]({address:url})){/address}",
    },
  },
};

const workPackage = "**{work_package.subject}** ({work_package._embedded.type.name|work package})";
const openProjectTopic = "{work_package._embedded.project.name|OpenProject}";

/** Webhooks of an instance. Source: www.openproject.org/docs, API and webhooks. */
export const openProject: Integration = {
  name: "openproject",
  title: "OpenProject",
  signature: signedBody(["x-op-signature"], "sha1=", { algorithm: "sha1" }),
  event: ({ payload }) => pickText(payload, "action"),
  forms: {
    "work_package:created": {
      topic: openProjectTopic,
      text: `{work_package._embedded.author.name|Somebody} created ${workPackage}.`,
    },
    "work_package:updated": {
      topic: openProjectTopic,
      text: `${workPackage} was changed{?work_package._embedded.status.name}, it is **{work_package._embedded.status.name}**{/work_package._embedded.status.name}.`,
    },
    "work_package_comment:comment": null,
    "project:created": { topic: "projects", text: "The project **{project.name}** was created." },
    "project:updated": { topic: "projects", text: "The project **{project.name}** was changed." },
    "attachment:created": {
      topic: "{attachment._embedded.container.subject|OpenProject}",
      text: "{attachment._embedded.author.name|Somebody} uploaded **{attachment.fileName}**.",
    },
    "time_entry:created": null,
  },
};

const notionPage = "[{entity.type|page}](https://www.notion.so/{short:segment})";

/**
 * Webhooks of a connection, which tell addresses but no titles. The first post has a token, which
 * the bot's owner pastes into Notion. Source: developers.notion.com/reference/webhooks.
 */
export const notion: Integration = {
  name: "notion",
  title: "Notion",
  signature: signedBody(["x-notion-signature"], "sha256="),
  event: ({ payload }) =>
    pickText(payload, "verification_token") ? "verification" : pickText(payload, "type"),
  prepare: (payload) => ({ short: pickText(payload, "entity.id").replaceAll("-", "") }),
  forms: {
    verification: {
      topic: "Notion",
      text: "Notion asks whether it may post here. Paste this token there, and set it as the bot's secret for `notion`: {verification_token:name}",
      isForOwner: true,
    },
    ...each("", ["page.created", "database.created", "data_source.created"], {
      topic: "Notion",
      text: `A ${notionPage} was created.`,
    }),
    ...each(
      "",
      [
        "page.content_updated",
        "page.properties_updated",
        "database.content_updated",
        "database.schema_updated",
        "data_source.content_updated",
        "data_source.schema_updated",
      ],
      { topic: "Notion", text: `A ${notionPage} was changed.` },
    ),
    ...each("", ["page.deleted", "database.deleted", "data_source.deleted"], {
      topic: "Notion",
      text: `A ${notionPage} was deleted.`,
    }),
    ...each("", ["page.undeleted", "database.undeleted", "data_source.undeleted"], {
      topic: "Notion",
      text: `A ${notionPage} was restored.`,
    }),
    "comment.created": { topic: "Notion", text: "A comment was written on a page." },
    ...each(
      "",
      ["page.moved", "page.locked", "page.unlocked", "comment.updated", "comment.deleted"],
      null,
    ),
  },
};

const basecampTopic = "{recording.bucket.name|Basecamp}";
const basecampThing = "{thing} [{recording.title}]({recording.app_url:url})";

/** Texts by the last words of an event's kind; null for events of which nothing is said. */
const basecampVerbs: Readonly<Record<string, string | null>> = {
  created: `created the ${basecampThing}{?words}:\n\n{words:quote}{/words}{^words}.{/words}`,
  active: `published the ${basecampThing}.`,
  title_updated: `renamed the ${basecampThing}.`,
  content_updated: `changed the ${basecampThing}.`,
  completed: `marked the ${basecampThing} as done.`,
  uncompleted: `marked the ${basecampThing} as not done.`,
  paused: `paused the ${basecampThing}.`,
  resumed: `resumed the ${basecampThing}.`,
  archived: `archived the ${basecampThing}.`,
  unarchived: `took the ${basecampThing} back from the archive.`,
  trashed: "moved the {thing} {recording.title} to the trash.",
  untrashed: `took the ${basecampThing} back from the trash.`,
  deleted: "deleted the {thing} {recording.title}.",
  copied: null,
  inserted: null,
  publicized: null,
  subscribers_changed: null,
};
// biome-ignore format: a list of names
const basecampKinds = [
  "client_approval_response", "client_forward", "client_reply", "cloud_file", "comment", "document",
  "google_document", "inbox_forward", "kanban_card", "kanban_step", "message", "question",
  "question_answer", "schedule_entry", "todo", "todolist", "upload", "vault",
];

/** Webhooks of a project. Source: github.com/basecamp/bc3-api, sections/webhooks.md. */
export const basecamp: Integration = {
  name: "basecamp",
  title: "Basecamp",
  event: ({ payload }) => pickText(payload, "kind"),
  prepare: (payload) => ({
    thing: pickText(payload, "recording.type").replaceAll("::", " ").toLowerCase(),
    words: textOf(pickText(payload, "recording.content")),
  }),
  forms: {
    ...Object.fromEntries(
      basecampKinds.flatMap((kind) =>
        Object.entries(basecampVerbs).map(([verb, text]): [string, EventForm | null] => [
          `${kind}_${verb}`,
          text === null ? null : { topic: basecampTopic, text: `{creator.name|Somebody} ${text}` },
        ]),
      ),
    ),
    comment_created: {
      topic: basecampTopic,
      text: "{creator.name|Somebody} [commented]({recording.app_url:url}) on {recording.parent.title|something}:\n\n{words:quote}",
    },
  },
};
