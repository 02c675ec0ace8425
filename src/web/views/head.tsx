import { ViewActions } from "../feed/topic-actions";
import type { Narrow } from "../model/narrow";
import { channelNarrow, kindOf } from "../model/narrow-kind";
import { ChannelMark } from "../parts/channel-mark";
import { Icon } from "../parts/icon";
import { channelName, directName, fragmentOf, topicName } from "../store/names";
import { conversationsFragment } from "../store/place";
import { channels } from "../store/state";
import { words } from "../words/words";

/** The line above the messages, which says whose they are. */
export const Head = ({ narrow }: { narrow: Narrow }) => (
  <header class="head">
    <a class="tool back" href={conversationsFragment} title={words.back} aria-label={words.back}>
      <Icon name="back" />
    </a>
    <Title narrow={narrow} />
    <ViewActions narrow={narrow} />
  </header>
);

function Title({ narrow: shown }: { narrow: Narrow }) {
  const narrow = kindOf(shown);
  if (narrow.kind === "all") return <h1>{words.allMessages}</h1>;
  if (narrow.kind === "search") return <h1>{words.searchResults}</h1>;
  if (narrow.kind === "direct")
    return (
      <h1>
        <span dir="auto">{directName(narrow.userIds)}</span>
      </h1>
    );
  const { channelId } = narrow;
  const name = channelName(channelId);
  const about = channels.value.get(channelId)?.description ?? "";
  const channel = (
    <>
      <ChannelMark channelId={channelId} />
      <span dir="auto">{name}</span>
    </>
  );
  return (
    <>
      <h1>
        {narrow.kind === "channel" ? (
          <span class="channel">{channel}</span>
        ) : (
          <>
            <a class="channel" href={fragmentOf(channelNarrow(channelId))}>
              {channel}
            </a>
            <span class="quiet sep" aria-hidden="true">
              ›
            </span>
            <span dir="auto">{topicName(narrow.topic)}</span>
          </>
        )}
      </h1>
      {about !== "" && (
        <p class="about" dir="auto">
          {about}
        </p>
      )}
    </>
  );
}

/** Words that name a view in the title of the page. */
export function titleOf(shown: Narrow): string {
  const narrow = kindOf(shown);
  switch (narrow.kind) {
    case "all":
      return words.allMessages;
    case "channel":
      return channelName(narrow.channelId);
    case "topic":
      return `${topicName(narrow.topic)} – ${channelName(narrow.channelId)}`;
    case "direct":
      return directName(narrow.userIds);
    case "search":
      return words.searchResults;
  }
}
