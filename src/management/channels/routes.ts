import { Type } from "@sinclair/typebox";
import {
  addDefaultChannel,
  ChangeDefault,
  removeDefaultChannel,
} from "../../channels/default-channels";
import { GetChannelEmailAddress, getChannelEmailAddress } from "../../channels/email-address";
import { audited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { ArchiveChannel, archiveChannel, UpdateChannel, updateChannel } from "./edit";
import {
  ChannelList,
  GetChannel,
  GetChannelId,
  getChannel,
  getChannelId,
  ListChannels,
  listVisibleChannels,
  OneChannel,
} from "./service";

export const channelsEndpoints = [
  endpoint({
    method: "GET",
    path: "/streams",
    summary: "Lists the channels that you may know.",
    who: "user",
    input: ListChannels,
    output: ChannelList,
    verb: listVisibleChannels,
  }),
  endpoint({
    method: "GET",
    path: "/streams/{stream_id}",
    summary: "Gets one channel.",
    who: "user",
    input: GetChannel,
    output: OneChannel,
    verb: getChannel,
  }),
  endpoint({
    method: "GET",
    path: "/streams/{stream_id}/email_address",
    summary: "Gets the address under which a channel receives mail.",
    who: "user",
    input: GetChannelEmailAddress,
    output: Type.Object({ email: Type.String() }),
    verb: getChannelEmailAddress,
  }),
  endpoint({
    method: "PATCH",
    path: "/streams/{stream_id}",
    summary:
      "Changes a channel's name, description, access, permissions and other settings; unarchives it.",
    who: "user",
    audit: audited("channel.update", "channel.archive"),
    input: UpdateChannel,
    output: noFields,
    statuses: [409],
    verb: updateChannel,
  }),
  endpoint({
    method: "DELETE",
    path: "/streams/{stream_id}",
    summary: "Archives a channel: people can read it, but nobody can send to it.",
    who: "user",
    audit: audited("channel.archive"),
    input: ArchiveChannel,
    output: noFields,
    verb: archiveChannel,
  }),
  endpoint({
    method: "GET",
    path: "/get_stream_id",
    summary: "Gets the ID of the channel with a name.",
    who: "user",
    input: GetChannelId,
    output: Type.Object({ stream_id: Type.Integer() }),
    verb: getChannelId,
  }),
  endpoint({
    method: "POST",
    path: "/default_streams",
    summary: "Adds a channel to the default channels of new members.",
    who: "administrator",
    audit: audited("channel.add_default"),
    input: ChangeDefault,
    output: noFields,
    verb: addDefaultChannel,
  }),
  endpoint({
    method: "DELETE",
    path: "/default_streams",
    summary: "Removes a channel from the default channels.",
    who: "administrator",
    audit: audited("channel.remove_default"),
    input: ChangeDefault,
    output: noFields,
    verb: removeDefaultChannel,
  }),
];
