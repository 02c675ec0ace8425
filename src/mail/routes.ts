import { auditReasons, notAudited } from "../core/audit";
import { endpoint, page } from "../core/endpoint";
import { showUnsubscribe, Unsubscribe, unsubscribe } from "./unsubscribe";

/** Pages for the links in mails. */
export const mailPages = [
  endpoint({
    method: "GET",
    path: "/unsubscribe/{kind}/{user_id}/{token}",
    summary: "Shows the page for unsubscribing from a kind of mail.",
    who: "anyone",
    input: Unsubscribe,
    output: page,
    verb: showUnsubscribe,
  }),
  endpoint({
    method: "POST",
    path: "/unsubscribe/{kind}/{user_id}/{token}",
    summary: "Unsubscribes the person of the link from a kind of mail.",
    who: "anyone",
    audit: notAudited(auditReasons.oneself),
    input: Unsubscribe,
    output: page,
    verb: unsubscribe,
  }),
];
