import * as channelEvents from "../../channels/events";
import { channelPresenter } from "../../channels/events";
import { channelsState, defaultChannelsState } from "../../channels/state";
import { makeTrafficCount } from "../../channels/traffic";
import { feature } from "../../core/manifest";
import { channelsEndpoints } from "./routes";

/** Channels, and the default channels of new people. */
export const channelFeature = feature({
  name: "channels",
  endpoints: channelsEndpoints,
  state: [channelsState, defaultChannelsState],
  events: [channelEvents],
  presenters: () => [["stream", channelPresenter]],
  tasks: [{ name: "traffic", at: ["minute"], make: makeTrafficCount }],
});
