import type { FlaggedMessage } from "../model/message";
import { belongs, factsOf, type Narrow } from "../model/narrow";
import { me, model } from "../store/state";
import { readConversations } from "./kept-store";

/** Messages of a narrow that the browser has kept, ascending. */
export async function keptMessages(narrow: Narrow): Promise<readonly FlaggedMessage[]> {
  // A browser that refuses to keep anything has nothing.
  const conversations = await readConversations(me.peek()).catch(() => []);
  return conversations
    .flatMap(({ messages }) => messages)
    .filter((message) => belongs(message, narrow, factsOf(model.peek(), message)) === true)
    .sort((one, other) => one.id - other.id);
}
