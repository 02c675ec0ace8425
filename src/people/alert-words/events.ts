import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";

/** Somebody wants to be told of other words than before: all that they want now. */
export const alertWordsChanged = event("alert_words", undefined, {
  alert_words: Type.Array(Type.String()),
});
