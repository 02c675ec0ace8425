import { type Endpoint, endpoint } from "../http/endpoint";
import { addDefaultChannel, ChangeDefault, removeDefaultChannel } from "./default-channels";
import { ArchiveChannel, archiveChannel, UpdateChannel, updateChannel } from "./edit";
import { GetChannelEmailAddress, getChannelEmailAddress } from "./email-address";
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
    path: "/streams/{stream_id}/email_address",
    summary: "Gets the address under which a channel receives mail.",
    who: "user",
    input: GetChannelEmailAddress,
    verb: getChannelEmailAddress,
  }),
  endpoint({
    method: "PATCH",
    path: "/streams/{stream_id}",
    summary:
      "Changes a channel's name, description, access, permissions and other settings; brings it back from the archive.",
    who: "user",
    input: UpdateChannel,
    verb: updateChannel,
  }),
  endpoint({
    method: "DELETE",
    path: "/streams/{stream_id}",
    summary: "Archives a channel: it can be read, but nobody sends to it.",
    who: "user",
    input: ArchiveChannel,
    verb: archiveChannel,
  }),
  endpoint({
    method: "GET",
    path: "/get_stream_id",
    summary: "Gets the ID of the channel with a name.",
    who: "user",
    input: GetChannelId,
    verb: getChannelId,
  }),
  endpoint({
    method: "POST",
    path: "/default_streams",
    summary: "Makes a channel one that new members are subscribed to.",
    who: "administrator",
    input: ChangeDefault,
    verb: addDefaultChannel,
  }),
  endpoint({
    method: "DELETE",
    path: "/default_streams",
    summary: "Makes a channel one that new members are not subscribed to.",
    who: "administrator",
    input: ChangeDefault,
    verb: removeDefaultChannel,
  }),
];
