import { feature } from "../../core/manifest";
import * as submessageEvents from "./events";
import { submessagePresenter } from "./presenter";
import { submessageEndpoints } from "./routes";

/** Widgets of messages: polls and to-do lists. */
export const submessageFeature = feature({
  name: "submessages",
  endpoints: submessageEndpoints,
  events: [submessageEvents],
  presenters: ({ reader }) => [["submessage", submessagePresenter(reader)]],
});
