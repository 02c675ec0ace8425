import { endpoint, page } from "../core/endpoint";
import { showUnsubscribe, Unsubscribe, unsubscribe } from "./unsubscribe";

/** Pages for the links in mails. */
export const mailPages = [
  endpoint({
    method: "GET",
    path: "/unsubscribe/{kind}/{user_id}/{token}",
    summary: "Asks whether to get no more of a kind of mail.",
    who: "anyone",
    input: Unsubscribe,
    output: page,
    verb: showUnsubscribe,
  }),
  endpoint({
    method: "POST",
    path: "/unsubscribe/{kind}/{user_id}/{token}",
    summary: "Ends a kind of mail for the person whom the link belongs to.",
    who: "anyone",
    input: Unsubscribe,
    output: page,
    verb: unsubscribe,
  }),
];
