import { channels } from "../store/state";
import { Icon } from "./icon";

/** Mark of a channel in its own colour: open to the web, private, or neither. */
export function ChannelMark({ channelId }: { channelId: number }) {
  const channel = channels.value.get(channelId);
  const name = channel?.is_web_public ? "globe" : channel?.invite_only ? "lock" : "hash";
  return (
    <span class="spot" style={colourOf(channel?.color)}>
      <Icon name={name} />
    </span>
  );
}

/** The colour of a channel as the custom property that style sheets mix it from. */
export const colourOf = (color: string | undefined) => (color ? { "--channel": color } : {});
