import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { FlaggedMessage } from "../model/message";
import type { Message } from "../model/wire";
import { Avatar } from "../parts/avatar";
import { lateParts } from "../parts/late";
import { Rare } from "../parts/rare";
import type { Match } from "../store/feeds";
import { dateForm, moments } from "../store/moments";
import { isHiddenMessage, revealMessage } from "../store/muted-messages";
import { senderOf } from "../store/names";
import { mutedUsers } from "../store/state";
import { words } from "../words/words";
import type { Grouping } from "./grouping";
import { Reactions } from "./reactions";
import { Recipient } from "./recipient";
import { Rendered } from "./rendered";
import { SenderName } from "./sender-name";

const dayOf = dateForm({
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});
const dateOf = ({ timestamp }: Message) => new Date(timestamp * 1_000);

interface RowProps extends Grouping {
  message: FlaggedMessage;
  /** Whether the view shows several conversations. */
  isMixed: boolean;
  /** Whether keys act on it. */
  isFocused: boolean;
  /** Its content and topic with the words of a search marked. */
  match: Match | undefined;
  /** Whether it is one of several search results, so that a link leads to its place. */
  isFound: boolean;
  /** The number of unread messages from this one on. */
  newCount: number | undefined;
}

/** A message of a feed, with the lines above it. */
export function Row(props: RowProps) {
  const { message, match, isFound, beginsDay, newCount, isMixed, isFocused } = props;
  // Below a line, and for search results, the sender is shown again.
  const isOfMuted = mutedUsers.value.has(message.sender_id);
  const isHidden = isHiddenMessage(message);
  const isShort = props.isContinued && newCount === undefined && !isFound && !isOfMuted;
  const beginsConversation = props.beginsConversation || beginsDay || isFound;
  const sender = senderOf(message);
  const label = isHidden ? words.actions.expandMuted : sender.full_name;
  const late = lateParts.value;
  return (
    <article data-id={message.id} tabIndex={isFocused ? 0 : -1} aria-label={label}>
      {beginsDay && (
        <h2 class="day">
          <span>{dayOf(dateOf(message))}</span>
        </h2>
      )}
      {newCount !== undefined && <p class="new">{words.newMessages(newCount)}</p>}
      {isMixed && beginsConversation && (
        <Recipient message={message} markedTopic={match?.topic} isFound={isFound} />
      )}
      <div class={rowClass(message, isShort || isHidden, isFocused)}>
        {isShort || isHidden ? (
          <Sent message={message} />
        ) : (
          <>
            <Avatar user={sender} />
            <header>
              <SenderName userId={message.sender_id} name={sender.full_name} />
              <Sent message={message} />
            </header>
          </>
        )}
        {isHidden ? (
          <Expand text={label} expand={() => revealMessage(message.id)} />
        ) : (
          <>
            <Editable messageId={message.id}>
              <Collapsible message={message} isWhole={match !== undefined}>
                <Content message={message} html={match?.content ?? message.content} />
              </Collapsible>
            </Editable>
            <Reactions message={message} />
            {late && <late.Actions message={message} />}
          </>
        )}
      </div>
    </article>
  );
}

interface EditableProps {
  messageId: number;
  /** The content of the message when it is not being edited. */
  children: ComponentChildren;
}

/** The content of a message, or the box in which the person edits it. */
function Editable({ messageId, children }: EditableProps) {
  const late = lateParts.value;
  const edit = useComputed(() => lateParts.value?.editOf(messageId)).value;
  if (late && edit?.isOpen) return <late.EditBox messageId={messageId} edit={edit} />;
  return (
    <>
      {children}
      {late && edit && <late.KeptEdit messageId={messageId} />}
    </>
  );
}

interface CollapsibleProps {
  message: FlaggedMessage;
  /** Whether the content is shown in any case, because words of a search are marked in it. */
  isWhole: boolean;
  children: ComponentChildren;
}

/**
 * The content of a message, or, if the person has collapsed it, a button that shows the content.
 */
function Collapsible({ message: { id, flags }, isWhole, children }: CollapsibleProps) {
  const isNow = useComputed(() => lateParts.value?.isCollapsed(id)).value;
  if (isWhole || !(isNow ?? flags.includes("collapsed"))) return <>{children}</>;
  const expand = () => lateParts.value?.toggleCollapsed(id);
  return <Expand text={words.actions.expand} expand={expand} />;
}

/** A button in place of a content that it shows. */
function Expand({ text, expand }: { text: string; expand(): void }) {
  const onClick = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    // The button disappears, and the focus stays with its message.
    currentTarget.closest<HTMLElement>("article")?.focus({ preventScroll: true });
    expand();
  };
  return (
    <div class="content">
      <button type="button" class="chip" aria-expanded="false" onClick={onClick}>
        {text}
      </button>
    </div>
  );
}

function rowClass({ flags }: FlaggedMessage, isShort: boolean, isFocused: boolean): string {
  const isMine = flags.some((flag) => flag.endsWith("mentioned"));
  return ["row", isShort ? "grouped" : "first", isMine && "mentioned", isFocused && "focused"]
    .filter(Boolean)
    .join(" ");
}

function Sent({ message }: { message: FlaggedMessage }) {
  const date = dateOf(message);
  const hour = moments.value.hour(date);
  return (
    <time dateTime={date.toISOString()} title={`${dayOf(date)}, ${hour}`}>
      {hour}
    </time>
  );
}

/** The content of a message. A poll or a to-do list is drawn in its own way. */
function Content({ message, html }: { message: FlaggedMessage; html: string }) {
  const text = <Rendered html={html} />;
  return (
    <div class="content">
      {message.submessages.length === 0 ? (
        text
      ) : (
        <Rare
          name="widgets"
          draw={({ WidgetView }) => <WidgetView message={message}>{text}</WidgetView>}
        >
          {text}
        </Rare>
      )}
      <Changed message={message} />
    </div>
  );
}

/** A note that a message was edited or moved. */
function Changed({ message }: { message: FlaggedMessage }) {
  const { last_edit_timestamp: editedAt, last_moved_timestamp: movedAt } = message;
  if (editedAt === undefined && movedAt === undefined) return null;
  return <span class="edited">{editedAt === undefined ? words.moved : words.edited}</span>;
}
