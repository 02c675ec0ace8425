import { Type } from "@sinclair/typebox";
import type { Presenter } from "../../core/event-hub";
import { event } from "../../events/define";
import { reactionObject } from "../wire";

const fields = {
  ...reactionObject.properties,
  message_id: Type.Integer(),
  /** As clients read it that were written before `user_id`; gone at level 484. */
  user: Type.Object({ user_id: Type.Integer(), email: Type.String(), full_name: Type.String() }),
};

export const reactionAdded = event("reaction", "add", fields);
export const reactionRemoved = event("reaction", "remove", fields);

/** The protocol's official clients know the extra emoji type by its older name only. */
export const reactionPresenter: Presenter = {
  shape(reaction, { isOfficialClient }) {
    if (!isOfficialClient || reaction["reaction_type"] !== "service_extra_emoji")
      return { variant: "", event: reaction };
    return { variant: "official", event: { ...reaction, reaction_type: "zulip_extra_emoji" } };
  },
};
