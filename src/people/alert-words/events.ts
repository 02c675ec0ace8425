import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";

/** Somebody's alert words have changed; lists all of them. To their own clients. */
export const alertWordsChanged = event("alert_words", undefined, {
  alert_words: Type.Array(Type.String()),
});
