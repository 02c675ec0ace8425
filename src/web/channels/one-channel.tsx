import { Rendered } from "../feed/rendered";
import { privacyOf } from "../model/channel-privacy";
import type { Channel } from "../model/channels";
import { channelNarrow } from "../model/narrow-kind";
import { mayAdminister } from "../model/permissions";
import { ChannelMark } from "../parts/channel-mark";
import { Rare } from "../parts/rare";
import { useChosen } from "../settings/chosen";
import { SelectRow, SwitchRow } from "../settings/controls";
import { SavingNote } from "../settings/saving-note";
import { dateForm } from "../store/moments";
import { fragmentOf, userName } from "../store/names";
import { controlOf, setFolder, setOfChannel } from "../store/own-channels";
import { channelFolders, channels, model, settings } from "../store/state";
import { channelWords } from "../words/channels";
import { Membership } from "./membership";
import { ChannelPeople } from "./people";

const dateOf = dateForm({ dateStyle: "medium" });

/** A channel: facts about it, and one's own settings of it. */
export function OneChannel({ channelId }: { channelId: number }) {
  const channel = channels.value.get(channelId);
  return (
    <section class="pane one-channel" aria-label={channel?.name ?? channelWords.gone}>
      <p>
        <a class="chip" href="#channels/all">
          {channelWords.allChannels}
        </a>
      </p>
      {channel ? (
        <>
          <Facts channel={channel} />
          <Folder channel={channel} />
          <ChannelPeople channel={channel} />
          {channel.standing === "subscribed" && <Own channel={channel} />}
          {mayAdminister(model.value, channel) && (
            <Rare
              name="administration"
              draw={({ ForEverybody }) => <ForEverybody channel={channel} />}
            />
          )}
        </>
      ) : (
        <p role="alert">{channelWords.gone}</p>
      )}
    </section>
  );
}

function Facts({ channel }: { channel: Channel }) {
  const { stream_id: id, name, rendered_description: description, creator_id: creatorId } = channel;
  const date = dateOf(new Date(channel.date_created * 1_000));
  const kind = channel.is_web_public ? "web" : channel.invite_only ? "private" : "public";
  return (
    <>
      <h2>
        <ChannelMark channelId={id} />
        <span dir="auto">{name}</span>
      </h2>
      {description !== "" && (
        <div class="description">
          <Rendered html={description} />
        </div>
      )}
      {channel.is_archived && <p>{channelWords.archived}</p>}
      <p class="quiet">
        {`${channelWords.members(channel.subscriber_count)} · ${channelWords.kinds[kind]}`}
        {channel.invite_only && ` · ${channelWords.privacy.kinds[privacyOf(channel)].help}`}
      </p>
      <p class="quiet" dir="auto">
        {creatorId === null
          ? channelWords.created(date)
          : channelWords.creator(userName(creatorId), date)}
      </p>
      <div class="choices">
        <a class="chip" href={fragmentOf(channelNarrow(id))}>
          {channelWords.open}
        </a>
        <Membership channel={channel} />
      </div>
    </>
  );
}

/**
 * The folder in which the channel stands in everybody's rail; who administers it may change that.
 */
function Folder({ channel }: { channel: Channel }) {
  const folders = [...channelFolders.value.values()].filter(
    ({ id, is_archived }) => !is_archived || id === channel.folder_id,
  );
  if (folders.length === 0) return null;
  return (
    <SelectRow
      control={controlOf(channel.stream_id, "folder")}
      label={channelWords.folder}
      value={String(channel.folder_id ?? "")}
      options={[
        ["", channelWords.folderNone],
        ...folders.map(({ id, name }) => [String(id), name] as const),
      ]}
      isDisabled={!mayAdminister(model.value, channel)}
      choose={(id) => setFolder(channel.stream_id, id === "" ? null : Number(id))}
    />
  );
}

const Own = ({ channel }: { channel: Channel }) => (
  <section>
    <h3>{channelWords.own}</h3>
    <Colours channel={channel} />
    {(["pin_to_top", "is_muted"] as const).map((property) => (
      <SwitchRow
        key={property}
        control={controlOf(channel.stream_id, property)}
        label={property === "is_muted" ? channelWords.muted : channelWords.pinned}
        isOn={channel[property] === true}
        choose={(isOn) => setOfChannel(channel.stream_id, property, isOn)}
      />
    ))}
    <h3>{channelWords.notifications}</h3>
    {notifySettings.map((property) => (
      <Notify key={property} channel={channel} property={property} />
    ))}
  </section>
);

const colours = Object.keys(channelWords.colourNames);

function Colours({ channel }: { channel: Channel }) {
  const { stream_id: id, color: saved } = channel;
  const [color, choose] = useChosen(saved, (colour) =>
    colour === undefined ? undefined : setOfChannel(id, "color", colour),
  );
  const names: Readonly<Record<string, string>> = channelWords.colourNames;
  return (
    <fieldset class="setting">
      <legend>{channelWords.colour}</legend>
      <SavingNote control={controlOf(id, "color")} />
      <div class="colours">
        {colours.map((colour) => (
          <label key={colour} title={names[colour]} style={{ "--channel": colour }}>
            <span class="visually-hidden">{names[colour]}</span>
            <input
              type="radio"
              name="colour"
              checked={colour === color}
              onChange={() => choose(colour)}
            />
          </label>
        ))}
        <input
          type="color"
          aria-label={channelWords.otherColour}
          title={channelWords.otherColour}
          value={color}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      </div>
    </fieldset>
  );
}

/** Settings of a channel in whose place the person's general one counts while nothing is chosen. */
const generalOf = {
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  push_notifications: "enable_stream_push_notifications",
  email_notifications: "enable_stream_email_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
} as const;

type NotifySetting = keyof typeof generalOf;
const notifySettings = [
  "desktop_notifications",
  "audible_notifications",
  "push_notifications",
  "email_notifications",
  "wildcard_mentions_notify",
] as const satisfies readonly NotifySetting[];

function Notify({ channel, property }: { channel: Channel; property: NotifySetting }) {
  const value = channel[property] ?? null;
  const general = settings.value[generalOf[property]];
  return (
    <SelectRow
      control={controlOf(channel.stream_id, property)}
      label={channelWords.notify[property]}
      value={String(value)}
      options={[
        // The protocol has no way back to the general setting.
        ...(value === null ? [["null", channelWords.notifyLike(general)] as const] : []),
        ["true", channelWords.on],
        ["false", channelWords.off],
      ]}
      choose={(chosen) =>
        chosen === "null" ? undefined : setOfChannel(channel.stream_id, property, chosen === "true")
      }
    />
  );
}
