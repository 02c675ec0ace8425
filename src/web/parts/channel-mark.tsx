import { channels } from "../store/state";
import { Icon } from "./icon";

/** The sign of a channel in the channel's colour: open to the web, private, or public. */
export function ChannelMark({ channelId }: { channelId: number }) {
  const channel = channels.value.get(channelId);
  const name = channel?.is_web_public ? "globe" : channel?.invite_only ? "lock" : "hash";
  return (
    <span class="spot" style={colourOf(channel?.color)}>
      <Icon name={name} />
    </span>
  );
}

/** The colour of a channel as a custom property, from which style sheets mix their colours. */
export const colourOf = (color: string | undefined) => (color ? { "--channel": color } : {});
