import { directKey, topicKey } from "../model/conversations";
import { userName } from "../store/names";
import { shownKind } from "../store/place";
import { isConnected, me } from "../store/state";
import { writersIn } from "../store/typing";
import { words } from "../words/words";

/** The line above the box: who is typing here, or that the server cannot be reached. */
export function TypingLine() {
  const names = writersHere().map(userName);
  return (
    <p class="status" role="status">
      {!isConnected.value ? (
        words.disconnected
      ) : names.length > 0 ? (
        <>
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span dir="auto">{words.views.typing(names)}</span>
        </>
      ) : null}
    </p>
  );
}

function writersHere(): readonly number[] {
  const kind = shownKind();
  if (kind?.kind === "topic") return writersIn(topicKey(kind.channelId, kind.topic));
  if (kind?.kind === "direct") return writersIn(directKey(kind.userIds, me.value));
  return [];
}
