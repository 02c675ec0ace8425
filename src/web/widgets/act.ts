import type { FlaggedMessage } from "../model/message";
import { post } from "../net/api";
import { attempt } from "../store/notices";

/** Does something with a widget; answers whether the server has agreed. Its event shows it. */
export const act = ({ id }: FlaggedMessage, action: Readonly<Record<string, unknown>>) =>
  attempt(() =>
    post("/submessage", { message_id: id, msg_type: "widget", content: JSON.stringify(action) }),
  );

/** Texts that were begun in fields of widgets: a row that is scrolled away and drawn again has them. */
export const begun = new Map<string, string>();
