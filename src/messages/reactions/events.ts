import { Type } from "@sinclair/typebox";
import type { Presenter } from "../../core/event-hub";
import { emojiTypeFor } from "../../emoji/emoji-types";
import { event } from "../../events/define";
import { reactionObject } from "../../reading/wire";

const fields = {
  ...reactionObject.properties,
  message_id: Type.Integer(),
  /** User for clients that do not know `user_id`; removed at level 484. */
  user: Type.Object({ user_id: Type.Integer(), email: Type.String(), full_name: Type.String() }),
};

export const reactionAdded = event("reaction", "add", fields);
export const reactionRemoved = event("reaction", "remove", fields);

/** Reactions for a client: the extra emoji's type has two names. */
export const reactionPresenter: Presenter = {
  shape(reaction, { isOfficialClient }) {
    const reaction_type = emojiTypeFor(String(reaction["reaction_type"]), isOfficialClient);
    if (reaction_type === reaction["reaction_type"]) return { variant: "", event: reaction };
    return { variant: "official", event: { ...reaction, reaction_type } };
  },
};
