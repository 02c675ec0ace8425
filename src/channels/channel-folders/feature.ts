import { feature } from "../../core/manifest";
import * as channelFolderEvents from "./events";
import { channelFolderEndpoints } from "./routes";
import { channelFolderState } from "./state";

/** Folders of channels. */
export const channelFolderFeature = feature({
  name: "channel folders",
  endpoints: channelFolderEndpoints,
  state: [channelFolderState],
  events: [channelFolderEvents],
});
