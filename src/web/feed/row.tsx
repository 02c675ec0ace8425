import { useLayoutEffect, useRef } from "preact/hooks";
import type { FlaggedMessage } from "../model/message";
import type { Message } from "../model/wire";
import { Avatar } from "../parts/avatar";
import { senderOf } from "../store/names";
import { settings } from "../store/state";
import { language, words } from "../words/words";
import { Actions } from "./actions";
import { showContent } from "./content";
import { Editable } from "./edit";
import type { Grouping } from "./grouping";
import { Reactions } from "./reactions";
import { Recipient } from "./recipient";

/** Times of the day, by whether the reader wants them to count to 24. */
const clocks = { true: clockOf(true), false: clockOf(false) };

function clockOf(isTo24: boolean): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, {
    hour: isTo24 ? "2-digit" : "numeric",
    minute: "2-digit",
    hourCycle: isTo24 ? "h23" : "h12",
  });
}

const day = new Intl.DateTimeFormat(language, {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});
const dateOf = ({ timestamp }: Message) => new Date(timestamp * 1_000);

interface RowProps {
  message: FlaggedMessage;
  grouping: Grouping;
  /** Whether the view shows more than one conversation. */
  isMixed: boolean;
  isFocused: boolean;
}

/** A message of a feed, with the lines that stand above it. */
export function Row({ message, grouping, isMixed, isFocused }: RowProps) {
  const isShort = grouping.isContinued;
  const sender = senderOf(message);
  return (
    <article data-id={message.id} tabIndex={-1} aria-label={sender.full_name}>
      {grouping.beginsDay && (
        <h2 class="day">
          <span>{day.format(dateOf(message))}</span>
        </h2>
      )}
      {isMixed && (grouping.beginsConversation || grouping.beginsDay) && (
        <Recipient message={message} />
      )}
      <div class={rowClass(message, isShort, isFocused)}>
        {!isShort && <Avatar user={sender} />}
        {isShort ? (
          <Sent message={message} />
        ) : (
          <header>
            <b dir="auto">{sender.full_name}</b>
            <Sent message={message} />
          </header>
        )}
        <Editable messageId={message.id}>
          <Content message={message} />
        </Editable>
        <Reactions message={message} />
        <Actions message={message} />
      </div>
    </article>
  );
}

function rowClass({ flags }: FlaggedMessage, isShort: boolean, isFocused: boolean): string {
  const isMine = flags.some((flag) => flag.endsWith("mentioned"));
  return ["row", isShort ? "grouped" : "first", isMine && "mentioned", isFocused && "focused"]
    .filter(Boolean)
    .join(" ");
}

function Sent({ message }: { message: FlaggedMessage }) {
  const clock = clocks[settings.value.twenty_four_hour_time ? "true" : "false"];
  return <time dateTime={dateOf(message).toISOString()}>{clock.format(dateOf(message))}</time>;
}

function Content({ message }: { message: FlaggedMessage }) {
  const element = useRef<HTMLDivElement>(null);
  const { content } = message;
  useLayoutEffect(() => {
    if (element.current) showContent(element.current, content);
  }, [content]);
  const isEdited = message.last_edit_timestamp !== undefined;
  return (
    <div class="content">
      <div ref={element} class="rendered" dir="auto" />
      {isEdited && <span class="edited">{words.edited}</span>}
    </div>
  );
}
