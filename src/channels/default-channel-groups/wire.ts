import { type Static, Type } from "@sinclair/typebox";
import type { DefaultGroup } from "./queries";

/** A group as the protocol shows it (`test/recorded/api/api-surface.json`, DefaultChannelGroup). */
export const defaultGroupObject = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    streams: Type.Array(Type.Integer(), { description: "The IDs of its channels, ascending." }),
  },
  { title: "DefaultChannelGroup" },
);

export const defaultGroupWire = ({
  id,
  name,
  description,
  channelIds,
}: DefaultGroup): Static<typeof defaultGroupObject> => ({
  id,
  name,
  description,
  streams: [...channelIds],
});
