import { feature } from "../core/manifest";
import { deleteSentJob } from "./delete-sent";
import { editPresenter } from "./edit/presenter";
import { messageEventForms } from "./event-forms";
import * as messageEvents from "./events";
import { messagePresenter } from "./presenter";
import { shrinkHtmlJob } from "./rendering/outgrown";
import { beginRerendering, rerenderJob } from "./rendering/rerender";
import { makeRetention } from "./retention";
import { messageEndpoints } from "./routes";
import { messageStates } from "./state";

/** Messages: sent, edited, moved, deleted, flagged and read. */
export const messageFeature = feature({
  name: "messages",
  endpoints: messageEndpoints,
  state: messageStates,
  events: [messageEvents],
  presenters: ({ reader, realmOf }) => [
    ["message", messagePresenter(reader, realmOf)],
    ["update_message", editPresenter(reader, realmOf)],
    ...messageEventForms,
  ],
  jobs: [rerenderJob, shrinkHtmlJob, deleteSentJob],
  tasks: [
    { name: "retention", at: ["minute"], make: makeRetention },
    { name: "rerendering", at: ["start"], make: (app) => () => beginRerendering(app) },
  ],
});
