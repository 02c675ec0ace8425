import { type Endpoint, endpoint } from "../http/endpoint";
import { GetChannel, GetChannelId, getChannel, getChannelId, ListChannels, listVisibleChannels } from "./service";

export const channelsEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/streams",
    summary: "Lists the channels that you may know of.",
    who: "user",
    input: ListChannels,
    verb: listVisibleChannels,
  }),
  endpoint({
    method: "GET",
    path: "/streams/{stream_id}",
    summary: "Gets one channel.",
    who: "user",
    input: GetChannel,
    verb: getChannel,
  }),
  endpoint({
    method: "GET",
    path: "/get_stream_id",
    summary: "Gets the ID of the channel with a name.",
    who: "user",
    input: GetChannelId,
    verb: getChannelId,
  }),
];
