import { Type } from "@sinclair/typebox";
import type { Presenter } from "../core/event-hub";
import { groupSettingValue } from "../core/rights/group-setting";
import { event } from "../events/define";
import { isFormFor, withoutForm } from "./archived-events";
import { channelObject } from "./wire";

/** Only in the log: which clients the event is for, see `archived-events.ts`. */
const showsArchived = { shows_archived: Type.Optional(Type.Boolean()) };

const appeared = { streams: Type.Array(channelObject) };
const disappeared = {
  stream_ids: Type.Array(Type.Integer()),
  streams: Type.Array(Type.Object({ stream_id: Type.Integer() })),
};
const updated = {
  stream_id: Type.Integer(),
  name: Type.String(),
  property: Type.String(),
  value: Type.Union([
    Type.String(),
    Type.Integer(),
    Type.Boolean(),
    groupSettingValue,
    Type.Null(),
  ]),
  rendered_description: Type.Optional(Type.String()),
  history_public_to_subscribers: Type.Optional(Type.Boolean()),
  is_web_public: Type.Optional(Type.Boolean()),
};

/** Channels were created, or became visible to somebody. */
export const channelsAppeared = event(
  "stream",
  "create",
  { ...appeared, ...showsArchived },
  appeared,
);

/** Channels became invisible to somebody. */
export const channelsDisappeared = event(
  "stream",
  "delete",
  { ...disappeared, ...showsArchived },
  disappeared,
);

/**
 * One property of a channel changed. `name` is the channel's former name. Some properties come with
 * others: a description with its HTML, and the privacy with the history's openness.
 */
export const channelUpdated = event("stream", "update", { ...updated, ...showsArchived }, updated);

/** The default channels of new members have changed. */
export const defaultChannelsChanged = event("default_streams", undefined, {
  default_streams: Type.Array(Type.Integer()),
});

/** `stream` events: those about archived channels in the form for the client. */
export const channelPresenter: Presenter = {
  accepts: isFormFor,
  shape: (change) => ({ variant: "", event: withoutForm(change) }),
};
