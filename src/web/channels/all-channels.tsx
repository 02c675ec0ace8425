import { signal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { textOfRendered } from "../feed/content";
import { type ChannelFilter, channelsNamed } from "../model/channel-list";
import type { Channel } from "../model/channels";
import { mayCreateChannel } from "../model/permissions";
import { ChannelMark } from "../parts/channel-mark";
import { Icon } from "../parts/icon";
import { useRoving } from "../parts/roving-lines";
import { type RowPlace, Windowed } from "../parts/windowed";
import { channelFolders, channels, model } from "../store/state";
import { channelWords } from "../words/channels";
import { Membership } from "./membership";
import { openNewChannel } from "./new-channel";

/** Text and filter of the list, which stay while one looks at a channel and comes back. */
const sought = signal("");
const filter = signal<ChannelFilter>("all");
const filters: readonly ChannelFilter[] = ["all", "mine", "notJoined", "archived"];

/** Filters that are offered: a way to archived channels only where there are some. */
const filtersOffered = () =>
  filters.filter(
    (one) =>
      one !== "archived" ||
      filter.value === "archived" ||
      [...channels.value.values()].some(({ is_archived: isArchived }) => isArchived),
  );

/** All channels that the person may know, with a field to find one. */
export function AllChannels() {
  const pane = useRef<HTMLElement>(null);
  useRoving(pane);
  const found = channelsNamed(channels.value, sought.value, filter.value);
  return (
    <section ref={pane} class="pane browse" aria-label={channelWords.allChannels}>
      <Finder />
      <p class="quiet" role="status">
        {channelWords.found(found.length)}
      </p>
      {found.length === 0 && (
        <div class="nothing">
          <b>{channelWords.none}</b>
          <p>{channelWords.noneHelp}</p>
        </div>
      )}
      <Windowed
        label={channelWords.allChannels}
        rows={found}
        draw={(channel, rowPlace) => (
          <ChannelRow key={channel.stream_id} channel={channel} rowPlace={rowPlace} />
        )}
      />
    </section>
  );
}

const Finder = () => (
  <div class="choices">
    <input
      type="search"
      class="field"
      dir="auto"
      placeholder={channelWords.search}
      aria-label={channelWords.search}
      value={sought.value}
      onInput={({ currentTarget }) => {
        sought.value = currentTarget.value;
      }}
    />
    {filtersOffered().map((one) => (
      <button
        key={one}
        type="button"
        class={one === filter.value ? "chip on" : "chip"}
        aria-pressed={one === filter.value}
        onClick={() => {
          filter.value = one;
        }}
      >
        {channelWords.filters[one]}
      </button>
    ))}
    {(mayCreateChannel(model.value, false) || mayCreateChannel(model.value, true)) && (
      <button type="button" class="button" onClick={() => openNewChannel(sought.value)}>
        <Icon name="plus" /> {channelWords.new}
      </button>
    )}
  </div>
);

function ChannelRow({ channel, rowPlace }: { channel: Channel; rowPlace: RowPlace }) {
  const { stream_id: id, name, folder_id: folderId, rendered_description: html } = channel;
  const folder = folderId === null ? undefined : channelFolders.value.get(folderId)?.name;
  const description = useMemo(() => textOfRendered(html), [html]);
  const about = [channelWords.members(channel.subscriber_count), folder, description]
    .filter(Boolean)
    .join(" · ");
  return (
    <li class="entry" {...rowPlace}>
      <a class="line" href={`#channels/${id}`}>
        <ChannelMark channelId={id} />
        <span class="name">
          <b>
            <bdi>{name}</bdi>
          </b>
          <small dir="auto" title={about}>
            {about}
          </small>
        </span>
      </a>
      <Membership channel={channel} />
    </li>
  );
}
