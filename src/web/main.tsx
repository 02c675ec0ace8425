import "./look/tokens.css";
import "./look/base.css";
import "./look/shell.css";
import "./look/feed.css";
import "./look/compose.css";
import "./look/content.css";
import "./look/actions.css";
import "./look/parts.css";
import "./look/views.css";
import { batch } from "@preact/signals";
import { render } from "preact";
import { followOffers } from "./compose/offering";
import { followDrops } from "./compose/take-files";
import { followMovedTopic } from "./feed/follow-moved";
import { followKeys } from "./keys/keyboard";
import type { Event } from "./model/wire";
import { followEvents } from "./net/tabs";
import { haveRareParts } from "./parts/rare";
import { applyToActions, renewActions } from "./store/actions";
import { applyToArrivals } from "./store/arrivals";
import { applyToDrafts, openDrafts } from "./store/drafts";
import { applyToFeeds, refreshFeeds } from "./store/feeds";
import { applyToMembers, renewMembers } from "./store/members";
import { applyToOutbox, bringSent, openOutbox } from "./store/outbox";
import { followAddress } from "./store/place";
import { followPresence } from "./store/presence";
import { queueId } from "./store/queue";
import { followReading } from "./store/reading";
import { applyToRecent, renewRecent } from "./store/recent";
import { snapshot } from "./store/snapshot";
import { applyToModel, isConnected, replaceModel } from "./store/state";
import { followStoredDrafts } from "./store/stored-drafts";
import { applyToTopics, renewTopics } from "./store/topics";
import { applyToTyping } from "./store/typing";
import { Shell } from "./views/shell";

const app = document.getElementById("app");
if (app) {
  followAddress();
  followKeys();
  followPresence();
  openDrafts();
  openOutbox();
  followStoredDrafts();
  followOffers();
  followDrops();
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
          applyToLists(events);
          applyToOutbox(events);
          applyToDrafts(events);
          applyToActions(events);
          followMovedTopic(events);
        }),
      renew: (renewed) =>
        batch(() => {
          replaceModel(renewed);
          refreshFeeds();
          bringSent();
          renewActions();
          renewLists();
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

/** Lists that views have asked for follow the events too. */
function applyToLists(events: readonly Event[]): void {
  applyToMembers(events);
  applyToTopics(events);
  applyToRecent(events);
  applyToTyping(events);
  applyToArrivals(events);
}

/** Lists are asked for anew where the events in between have not come. */
function renewLists(): void {
  renewMembers();
  renewTopics();
  renewRecent();
}
