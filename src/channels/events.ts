import { Type } from "@sinclair/typebox";
import { event } from "../events/define";
import type { BasicChannel } from "./wire";

/** Channels came into being, or into somebody's sight. */
export const channelsAppeared = event("stream", "create", {
  streams: Type.Array(Type.Unsafe<BasicChannel>(Type.Object({ stream_id: Type.Integer() }))),
});

/** Channels went out of somebody's sight. */
export const channelsDisappeared = event("stream", "delete", {
  stream_ids: Type.Array(Type.Integer()),
  streams: Type.Array(Type.Object({ stream_id: Type.Integer() })),
});

/** One property of a channel changed. `name` is the channel's name before that. */
export const channelUpdated = event("stream", "update", {
  stream_id: Type.Integer(),
  name: Type.String(),
  property: Type.String(),
  value: Type.Union([Type.String(), Type.Integer(), Type.Boolean(), Type.Null()]),
  rendered_description: Type.Optional(Type.String()),
});

/** The channels that new members are subscribed to are others than before. */
export const defaultChannelsChanged = event("default_streams", undefined, {
  default_streams: Type.Array(Type.Integer()),
});
