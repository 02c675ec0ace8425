import type { AnswerTo } from "../../api-types";
import { read } from "../net/api";
import { showDialog } from "../parts/dialog";
import { moments } from "../store/moments";
import { channelName, topicName, userName } from "../store/names";
import { attempt } from "../store/notices";
import { changeWords } from "../words/changes";
import { Rendered } from "./rendered";

type Version = AnswerTo<"GET", "/messages/{message_id}/history">["message_history"][number];

/** Shows the edit history of a message, the newest change first. */
export const openHistory = (messageId: number): Promise<boolean> =>
  attempt(async () => {
    const { message_history: versions } = await read("/messages/{message_id}/history", {
      message_id: messageId,
      allow_empty_topic_name: true,
    });
    const body = () => (
      <ol class="history">
        {versions.toReversed().map((version, index) => (
          <ShownVersion key={index} version={version} isFirst={index === versions.length - 1} />
        ))}
      </ol>
    );
    showDialog({ title: changeWords.history, body });
  });

function ShownVersion({ version, isFirst }: { version: Version; isFirst: boolean }) {
  const { user_id, timestamp, content_html_diff: difference, rendered_content: html } = version;
  const date = new Date(timestamp * 1_000);
  const isText = isFirst || difference !== undefined;
  return (
    <li>
      <h3>
        <span dir="auto">
          {isFirst ? changeWords.sentBy(userName(user_id)) : changeBy(version)}
        </span>{" "}
        <time dateTime={date.toISOString()}>{moments.value.whole(date)}</time>
      </h3>
      <Moved version={version} />
      {isText && <Rendered html={difference ?? html} />}
    </li>
  );
}

const changeBy = ({ user_id, content_html_diff: difference }: Version): string =>
  difference === undefined
    ? changeWords.movedBy(userName(user_id))
    : changeWords.editedBy(userName(user_id));

/** The place from which and to which a change has moved the message. */
function Moved({ version }: { version: Version }) {
  const { prev_topic: before, topic, prev_stream: from, stream: to } = version;
  if (before === undefined && from === undefined) return null;
  const place = (name: string, channelId: number | undefined) =>
    channelId === undefined ? topicName(name) : `${channelName(channelId)} › ${topicName(name)}`;
  return (
    <p dir="auto">
      <del>{place(before ?? topic, from)}</del> <ins>{place(topic, to)}</ins>
    </p>
  );
}
