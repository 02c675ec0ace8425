import type { Narrow } from "../model/narrow";
import type { Outgoing } from "../model/outgoing";
import { Avatar } from "../parts/avatar";
import { TryAgain } from "../parts/try-again";
import { goesTo, narrowOf, openBox } from "../store/box";
import { feedOf } from "../store/feeds";
import { fragmentOf, recipientName } from "../store/names";
import { outgoing, sendAgain, takeBack } from "../store/outbox";
import { me, users } from "../store/state";
import { composeWords } from "../words/compose";
import { words } from "../words/words";

/** The messages of a view that are being sent, as rows after the last message. */
export function OutgoingRows({ narrow }: { narrow: Narrow }) {
  return (
    <>
      {outgoing()
        .filter(({ recipient }) => goesTo(narrow, recipient))
        .map((message) => (
          <OutgoingRow key={message.localId} message={message} />
        ))}
    </>
  );
}

/** Whether messages of a view are being sent. */
export const hasOutgoing = (narrow: Narrow): boolean =>
  outgoing().some((message) => goesTo(narrow, message.recipient));

/**
 * Unsent messages that the view does not show, each with a link to its conversation. `narrow` is
 * that of the view, if it shows messages.
 */
export function UnsentElsewhere({ narrow }: { narrow: Narrow | undefined }) {
  const unsent = outgoing().filter((message) => isUnsent(message) && !isShown(narrow, message));
  return (
    <>
      {unsent.map((message) => (
        <p class="unsent-elsewhere" role="alert" key={message.localId} dir="auto">
          {composeWords.notSentTo(recipientName(message.recipient))}{" "}
          <a class="chip" href={fragmentOf(narrowOf(message.recipient))}>
            {composeWords.show}
          </a>
        </p>
      ))}
    </>
  );
}

const isUnsent = ({ standing }: Outgoing): boolean =>
  standing.kind === "refused" || standing.kind === "unclear";

const isShown = (narrow: Narrow | undefined, message: Outgoing): boolean =>
  narrow !== undefined && goesTo(narrow, message.recipient) && feedOf(narrow)?.isNewest === true;

function OutgoingRow({ message }: { message: Outgoing }) {
  const user = users.value.get(me.value);
  const { content } = message;
  const isOver = isUnsent(message);
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

/** Why a message was not sent, and what its sender can do. */
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
        {isRefused ? composeWords.notSent(standing.why) : composeWords.unclear}
      </span>
      {isRefused ? (
        <TryAgain again={() => sendAgain(message)} />
      ) : (
        <button type="button" class="chip" onClick={() => sendAgain(message)}>
          {composeWords.sendAnyway}
        </button>
      )}
      <button type="button" class="chip" onClick={edit}>
        {composeWords.edit}
      </button>
      {!isRefused && (
        <button type="button" class="chip" onClick={() => takeBack(message)}>
          {composeWords.wasSent}
        </button>
      )}
    </div>
  );
}
