import { Type } from "@sinclair/typebox";
import type { Presenter } from "../core/event-hub";
import { groupSettingValue } from "../core/group-setting";
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

/** Channels came into being, or into somebody's sight. */
export const channelsAppeared = event(
  "stream",
  "create",
  { ...appeared, ...showsArchived },
  appeared,
);

/** Channels went out of somebody's sight. */
export const channelsDisappeared = event(
  "stream",
  "delete",
  { ...disappeared, ...showsArchived },
  disappeared,
);

/**
 * One property of a channel changed. `name` is the channel's name before that. Some properties
 * bring others along: the HTML of a description, and whether the history is open with the privacy.
 */
export const channelUpdated = event("stream", "update", { ...updated, ...showsArchived }, updated);

/** The channels that new members are subscribed to are others than before. */
export const defaultChannelsChanged = event("default_streams", undefined, {
  default_streams: Type.Array(Type.Integer()),
});

/** `stream` events: those about archived channels come in the form that the client understands. */
export const channelPresenter: Presenter = {
  accepts: isFormFor,
  shape: (change) => ({ variant: "", event: withoutForm(change) }),
};
