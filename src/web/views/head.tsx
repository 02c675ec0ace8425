import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { textOfRendered } from "../feed/content";
import type { CommandId } from "../keys/commands";
import type { Narrow } from "../model/narrow";
import { channelNarrow, kindOf, namedNarrow } from "../model/narrow-kind";
import { ChannelMark } from "../parts/channel-mark";
import { Icon, type IconName } from "../parts/icon";
import { lateParts } from "../parts/late";
import { channelName, directName, fragmentOf, topicName } from "../store/names";
import { arePeopleShown, togglePeople } from "../store/people-pane";
import { conversationsFragment, type Place, place } from "../store/place";
import { isSearching, openSearch } from "../store/search";
import { channels, me } from "../store/state";
import { words } from "../words/words";

/** The bar above a view, with its title and buttons. */
export function Head({ children, about }: { children?: ComponentChildren; about?: string }) {
  const late = lateParts.value;
  return (
    <header class="head">
      <a class="tool back" href={conversationsFragment} title={words.back} aria-label={words.back}>
        <Icon name="back" />
      </a>
      {isSearching() ? late ? <late.SearchField /> : <SearchToCome /> : <Title about={about} />}
      <div class="end">
        {children}
        {place.value.view !== "messages" ? (
          <Tools />
        ) : late ? (
          <late.ViewActions narrow={place.value.narrow}>
            <Tools />
          </late.ViewActions>
        ) : (
          <>
            <Tools />
            {hasMenu(place.value.narrow) && <span class="tool" />}
          </>
        )}
      </div>
    </header>
  );
}

/** Keeps the place of the search field until it is loaded. */
const SearchToCome = () => (
  <div class="search">
    <h1 class="visually-hidden">{words.searchResults}</h1>
    <div class="choice">
      <input class="field" disabled aria-label={words.views.search} />
    </div>
    <span class="tool" />
  </div>
);

/**
 * Whether the actions of a view end with a menu button, so that its place is kept until it is
 * loaded.
 */
const hasMenu = (narrow: Narrow): boolean =>
  ["topic", "channel", "all"].includes(kindOf(narrow).kind);

const Tools = () => (
  <>
    {!isSearching() && (
      <Tool icon="search" name={words.views.search} keys="search" run={openSearch} />
    )}
    <Tool
      icon="people"
      name={arePeopleShown.value ? words.views.hidePeople : words.views.showPeople}
      keys="people"
      run={togglePeople}
    />
  </>
);

interface ToolProps {
  icon: IconName;
  name: string;
  /** The command whose keys the tooltip shows. */
  keys: CommandId;
  run(): void;
}

const Tool = ({ icon, name, keys, run }: ToolProps) => (
  <button type="button" class="tool" title={withKeys(name, keys)} aria-label={name} onClick={run}>
    <Icon name={icon} />
  </button>
);

function Title({ about }: { about: string | undefined }) {
  const kind = kindOf(place.value.narrow);
  const isTopic = ["messages", "topics"].includes(place.value.view) && "channelId" in kind;
  const html = isTopic ? channels.value.get(kind.channelId)?.rendered_description : undefined;
  const description = useMemo(() => about ?? textOfRendered(html ?? ""), [about, html]);
  return (
    <>
      {isTopic ? (
        <ConversationTitle {...kind} />
      ) : (
        <h1>
          <span dir="auto">{nameOf(place.value)}</span>
        </h1>
      )}
      {description !== "" && (
        <p class="about" title={description}>
          <span dir="auto">{description}</span>
        </p>
      )}
    </>
  );
}

type OfChannel = Extract<ReturnType<typeof kindOf>, { channelId: number }>;

function ConversationTitle(kind: OfChannel) {
  const { channelId } = kind;
  const channel = (
    <>
      <ChannelMark channelId={channelId} />
      <span dir="auto">{channelName(channelId)}</span>
    </>
  );
  if (kind.kind === "channel")
    return (
      <h1>
        <span class="channel">{channel}</span>
      </h1>
    );
  return (
    <h1>
      <a class="channel" href={fragmentOf(channelNarrow(channelId))}>
        {channel}
      </a>
      <span class="quiet sep" aria-hidden="true">
        ›
      </span>
      <span dir="auto">{topicName(kind.topic)}</span>
    </h1>
  );
}

/** The name of a command with its keys. */
export const withKeys = (name: string, id: CommandId): string =>
  `${name}  ${lateParts.value?.keysOf(id) ?? ""}`.trimEnd();

/** The title of a place. */
export function nameOf({ view, narrow }: Pick<Place, "view" | "narrow">): string {
  switch (view) {
    case "inbox":
      return words.views.inbox;
    case "recent":
      return words.views.recent;
    case "messages":
      return nameOfMessages(narrow);
    case "topics":
      return words.views.topicsOf(nameOfMessages(narrow));
    default:
      return words.views[view];
  }
}

function nameOfMessages(narrow: Narrow): string {
  const kind = kindOf(narrow);
  switch (kind.kind) {
    case "all":
      return words.allMessages;
    case "channel":
      return channelName(kind.channelId);
    case "topic":
      return `${topicName(kind.topic)} – ${channelName(kind.channelId)}`;
    case "direct":
      return directName(kind.userIds);
    case "search": {
      const name = namedNarrow(narrow, me.value);
      return name === undefined ? words.searchResults : words.views[name];
    }
  }
}
