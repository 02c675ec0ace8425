import type { Narrow } from "../model/narrow";
import { kindOf } from "../model/narrow-kind";
import type { Outgoing } from "../model/outgoing";
import { recipientKey } from "../model/recipient";
import { Avatar } from "../parts/avatar";
import { openBox } from "../store/box";
import { outgoing, sendAgain, takeBack } from "../store/outbox";
import { me, users } from "../store/state";
import { words } from "../words/words";

/** Messages of a view that are on their way, as rows after those that have come. */
export function OutgoingRows({ narrow }: { narrow: Narrow }) {
  return (
    <>
      {outgoing()
        .filter((message) => goesTo(narrow, message))
        .map((message) => (
          <OutgoingRow key={message.localId} message={message} />
        ))}
    </>
  );
}

/** Whether messages of a view are on their way. */
export const hasOutgoing = (narrow: Narrow): boolean =>
  outgoing().some((message) => goesTo(narrow, message));

function goesTo(narrow: Narrow, { recipient }: Outgoing): boolean {
  const view = kindOf(narrow);
  if (view.kind === "all") return true;
  if (view.kind === "channel")
    return recipient.kind === "topic" && recipient.channelId === view.channelId;
  if (view.kind === "search") return false;
  return recipientKey(recipient, me.value) === recipientKey(view, me.value);
}

function OutgoingRow({ message }: { message: Outgoing }) {
  const user = users.value.get(me.value);
  const { content, standing } = message;
  const isOver = standing.kind === "refused" || standing.kind === "unclear";
  return (
    <article tabIndex={-1} aria-label={user?.full_name ?? words.you} aria-busy={!isOver}>
      <div class={isOver ? "row first unsent" : "row first sending"}>
        {user && <Avatar user={user} />}
        <header>
          <b dir="auto">{user?.full_name}</b>
        </header>
        <div class="content plain" dir="auto">
          {content}
        </div>
        {isOver && <Unsent message={message} />}
      </div>
    </article>
  );
}

/** The reason why a message was not sent, and what its sender can do. */
function Unsent({ message }: { message: Outgoing }) {
  const { standing } = message;
  const isRefused = standing.kind === "refused";
  const edit = () => {
    takeBack(message);
    openBox({ recipient: message.recipient, text: message.content });
  };
  return (
    <div class="foot unsent-reason">
      <span role="alert">
        {isRefused ? words.compose.notSent(standing.why) : words.compose.unclear}
      </span>
      <button type="button" class="chip" onClick={() => sendAgain(message)}>
        {isRefused ? words.tryAgain : words.compose.sendAnyway}
      </button>
      <button type="button" class="chip" onClick={edit}>
        {words.compose.edit}
      </button>
      {!isRefused && (
        <button type="button" class="chip" onClick={() => takeBack(message)}>
          {words.compose.wasSent}
        </button>
      )}
    </div>
  );
}
