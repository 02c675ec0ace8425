import { each, type Integration } from "../integration";
import { pick, pickText } from "../payload";
import { signedBody } from "../signature";

/* Services in which a team answers mails together. */

const letters =
  "[{conversation.subject|a conversation}](https://app.frontapp.com/open/{conversation.id:segment})";
const correspondent = "{conversation.recipient.handle|somebody}";
const frontForm = (text: string) => ({ topic: "{conversation.id}", text });
const frontDone = (done: string) => frontForm(`{who|A rule} ${done} ${letters}.`);

/** Name of a teammate or of a rule. */
const nameOf = (party: unknown) =>
  [pickText(party, "first_name"), pickText(party, "last_name")].join(" ").trim() ||
  pickText(party, "name");

/**
 * Webhooks of rules, whose words about a conversation are those of the event's full data or of its
 * preview. Source: dev.frontapp.com/reference/events and dev.frontapp.com/docs/rule-webhooks.
 */
export const front: Integration = {
  name: "front",
  title: "Front",
  signature: signedBody(["x-front-signature"], "", { algorithm: "sha1", encoding: "base64" }),
  event: ({ payload }) => pickText(payload, "conversation.id") && pickText(payload, "type"),
  prepare: (payload) => ({
    who: nameOf(pick(payload, "source.data")),
    whom: nameOf(pick(payload, "target.data")),
  }),
  forms: {
    inbound: frontForm(
      `A message of ${correspondent} in ${letters}{?target.data.blurb}:\n\n{target.data.blurb:quote}{/target.data.blurb}{^target.data.blurb}.{/target.data.blurb}`,
    ),
    ...each(
      "",
      ["outbound", "out_reply"],
      frontForm(`A message to ${correspondent} in ${letters}.`),
    ),
    assign: frontForm(`{who|A rule} assigned ${letters} to {whom|somebody}.`),
    unassign: frontDone("unassigned"),
    archive: frontDone("archived"),
    reopen: frontDone("reopened"),
    trash: frontDone("deleted"),
    restore: frontDone("restored"),
    comment: frontForm(`{who|Somebody} commented on ${letters}:\n\n{target.data.body:quote}`),
    mention: frontForm(
      `{who|Somebody} mentioned a teammate in ${letters}:\n\n{target.data.body:quote}`,
    ),
    tag: frontForm(`{who|A rule} tagged ${letters} with {target.data.name:name}.`),
    untag: frontForm(`{who|A rule} took the tag {target.data.name:name} from ${letters}.`),
    move: frontForm(`{who|A rule} moved ${letters} to {target.data.0.name|another inbox}.`),
    reminder: frontForm(`${letters} is back, by a reminder.`),
    sending_error: frontForm(`:alert: A message of ${letters} could not be sent.`),
    ...each(
      "",
      ["forward", "link_added", "link_removed", "message_bounce_error", "conversations_merged"],
      null,
    ),
  },
};
