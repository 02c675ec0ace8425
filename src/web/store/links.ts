import type { FlaggedMessage } from "../model/message";
import { conversationNarrow } from "../model/narrow-kind";
import { fragmentOf } from "./names";
import { me } from "./state";

/** The address of a message in its conversation. */
export function linkToMessage(message: FlaggedMessage): string {
  const conversation = conversationNarrow(message, me.value);
  const fragment = fragmentOf([
    ...conversation,
    { operator: "near", operand: message.id, negated: false },
  ]);
  return new URL(fragment, location.href).href;
}
