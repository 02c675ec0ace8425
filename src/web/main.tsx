import "./look/tokens.css";
import "./look/base.css";
import "./look/shell.css";
import "./look/feed.css";
import "./look/compose.css";
import "./look/content.css";
import "./look/actions.css";
import "./look/parts.css";
import { batch } from "@preact/signals";
import { render } from "preact";
import { followEvents } from "./net/tabs";
import { haveRareParts } from "./parts/rare";
import { applyToActions, renewActions } from "./store/actions";
import { openDrafts } from "./store/drafts";
import { applyToFeeds, refreshFeeds } from "./store/feeds";
import { applyToOutbox, openOutbox } from "./store/outbox";
import { followAddress } from "./store/place";
import { queueId } from "./store/queue";
import { followReading } from "./store/reading";
import { snapshot } from "./store/snapshot";
import { applyToModel, isConnected, replaceModel } from "./store/state";
import { Shell } from "./views/shell";

const app = document.getElementById("app");
if (app) {
  followAddress();
  openDrafts();
  openOutbox();
  followReading();
  haveRareParts(() => import("./rare/parts"));
  render(<Shell />, app);
  const { status } = await followEvents(
    { queueId: snapshot.queue_id, lastEventId: snapshot.last_event_id },
    snapshot.user_id,
    {
      take: (events) =>
        batch(() => {
          applyToModel(events);
          applyToFeeds(events);
          applyToOutbox(events);
          applyToActions(events);
        }),
      renew: (renewed) =>
        batch(() => {
          replaceModel(renewed);
          refreshFeeds();
          renewActions();
        }),
      follow: (id) => {
        queueId.value = id;
      },
      connected: (isNow) => {
        isConnected.value = isNow;
      },
    },
  );
  // Without a session the page leads to the login page and back, with one it begins anew here.
  if (status === 401) location.assign(`/login?next=%2F${location.hash}`);
  else location.reload();
}
