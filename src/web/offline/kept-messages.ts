import type { FlaggedMessage } from "../model/message";
import { belongs, factsOf, type Narrow } from "../model/narrow";
import { me, model } from "../store/state";
import { readConversations } from "./kept-store";

/** The stored messages of a narrow, ascending. */
export async function keptMessages(narrow: Narrow): Promise<readonly FlaggedMessage[]> {
  // A browser that refuses to store anything has none.
  const conversations = await readConversations(me.peek()).catch(() => []);
  return conversations
    .flatMap(({ messages }) => messages)
    .filter((message) => belongs(message, narrow, factsOf(model.peek(), message)) === true)
    .sort((one, other) => one.id - other.id);
}
