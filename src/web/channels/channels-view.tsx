import { place } from "../store/place";
import { AllChannels } from "./all-channels";
import { OneChannel } from "./one-channel";

/** Channels to browse, or the one that the address names by its id. */
export function ChannelsView() {
  const { part } = place.value;
  return /^\d+$/.test(part) ? <OneChannel key={part} channelId={Number(part)} /> : <AllChannels />;
}
