import { feature } from "../core/manifest";
import * as contentEvents from "./content/events";
import { deleteSentJob } from "./delete/delete-sent";
import * as deleteEvents from "./delete/events";
import { makeRetention } from "./delete/retention";
import { editPresenter } from "./edit/presenter";
import { messageEventForms } from "./event-forms";
import * as flagEvents from "./flags/events";
import { messagePresenter } from "./presenter";
import { shrinkHtmlJob } from "./rendering/oversized-html";
import { beginRerendering, rerenderJob } from "./rendering/rerender";
import { messageEndpoints } from "./routes";
import * as sendEvents from "./send/events";
import { messageStates } from "./state";

/** Messages: sent, edited, moved, deleted, flagged and read. */
export const messageFeature = feature({
  name: "messages",
  endpoints: messageEndpoints,
  state: messageStates,
  events: [sendEvents, contentEvents, deleteEvents, flagEvents],
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
