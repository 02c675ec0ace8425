import { messageText } from "../model/outgoing";
import { composeWords } from "../words/compose";
import { server } from "./state";

/** The length of a text as the server counts it: in characters, not in units of UTF-16. */
export const lengthOf = (text: string): number => [...text].length;

/**
 * Why a text is too long for a message; undefined if it is not. The server would cut it, so such a
 * text is not sent.
 */
export function tooLong(text: string): string | undefined {
  const over = lengthOf(messageText(text)) - server.value.max_message_length;
  return over > 0 ? composeWords.tooLong(over) : undefined;
}
