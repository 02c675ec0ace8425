import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import {
  type ConversationFilter,
  type FilteredKind,
  noFilter,
  withChannel,
  withKind,
} from "../model/conversation-filter";
import { channelName } from "../store/names";
import { words } from "../words/words";

const namesOfKinds: Readonly<Record<FilteredKind, string>> = {
  all: words.views.all,
  unread: words.views.unreadOnly,
  followed: words.views.followed,
  mentions: words.views.mentions,
  direct: words.directMessages,
};

interface ListFilterProps {
  filter: Signal<ConversationFilter>;
  kinds: readonly FilteredKind[];
  /** The channels of the conversations in the list. */
  channelIds: ReadonlySet<number>;
  /** Further choices. */
  children?: ComponentChildren;
}

/** The filter of a list of conversations: by kind, by channel, and by words. */
export const ListFilter = ({ filter, kinds, channelIds, children }: ListFilterProps) => (
  <div class="choices">
    <div class="sideways">
      {kinds.map((kind) => (
        <Choice
          key={kind}
          name={namesOfKinds[kind]}
          isOn={filter.value.kind === kind}
          choose={() => {
            filter.value = withKind(filter.value, kind);
          }}
        />
      ))}
      {children}
      <ChannelChoice filter={filter} channelIds={channelIds} />
    </div>
    <input
      class="field"
      type="search"
      dir="auto"
      aria-label={words.views.filterRecent}
      placeholder={words.views.filterRecent}
      value={filter.value.text}
      onInput={({ currentTarget }) => {
        filter.value = { ...filter.value, text: currentTarget.value };
      }}
    />
  </div>
);

interface ChoiceProps {
  name: string;
  isOn: boolean;
  choose(): void;
}

/** A button that is on or off. */
export const Choice = ({ name, isOn, choose }: ChoiceProps) => (
  <button type="button" class={isOn ? "chip on" : "chip"} aria-pressed={isOn} onClick={choose}>
    {name}
  </button>
);

type ChannelChoiceProps = Pick<ListFilterProps, "filter" | "channelIds">;

/**
 * A choice of the only channel whose topics are shown. The chosen channel stays in the choice when
 * it has no conversations.
 */
function ChannelChoice({ filter, channelIds }: ChannelChoiceProps) {
  const { channelId } = filter.value;
  const all = new Set(channelId === undefined ? channelIds : [...channelIds, channelId]);
  const named = [...all]
    .map((id) => ({ id, name: channelName(id) }))
    .sort((one, other) => one.name.localeCompare(other.name));
  if (named.length === 0) return null;
  return (
    <select
      class={channelId === undefined ? "chip" : "chip on"}
      aria-label={words.views.onlyChannel}
      value={channelId === undefined ? "" : String(channelId)}
      onChange={({ currentTarget: { value } }) => {
        filter.value = withChannel(filter.value, value === "" ? undefined : Number(value));
      }}
    >
      <option value="">{words.views.allChannels}</option>
      {named.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Shown if nothing passes a filter, with a button that removes the filter. */
export const NothingLeft = ({ filter }: Pick<ListFilterProps, "filter">) => (
  <p class="empty" role="status">
    {words.views.recentNone}{" "}
    <button
      type="button"
      class="chip"
      onClick={() => {
        filter.value = noFilter;
      }}
    >
      {words.views.showEverything}
    </button>
  </p>
);
