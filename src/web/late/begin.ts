import { batch } from "@preact/signals";
import { followDrops } from "../compose/take-files";
import { followEmptiedTopics, followMovedTopic } from "../feed/follow-moved";
import { followLinkedMessages } from "../feed/linked-message";
import { followKeys } from "../keys/keyboard";
import type { Event } from "../model/wire";
import { followEvents } from "../net/tabs";
import { forgetAll } from "../offline/kept-store";
import { tellCutNames } from "../parts/cut-names";
import { keepFocus } from "../parts/focus-home";
import { isLeaving } from "../settings/leaving";
import { applyToActions, renewActions } from "../store/actions";
import { applyToArrivals } from "../store/arrivals";
import { applyToDrafts, openDrafts } from "../store/drafts";
import { renewEditing } from "../store/editing";
import { applyToFollowers, renewFollowers } from "../store/event-followers";
import { applyToFeeds, refreshFeeds } from "../store/feeds";
import { applyToFiles, renewFiles } from "../store/files";
import { forgetFormerPeople } from "../store/former-people";
import { applyToMembers, renewMembers } from "../store/members";
import { applyToOutbox, openOutbox, requestLostMessages } from "../store/outbox";
import { storeZoneHere } from "../store/own-zone";
import { followPresence } from "../store/presence";
import { isPolling, queueId } from "../store/queue";
import { followReading } from "../store/reading";
import { applyToRecent, renewRecent } from "../store/recent";
import { snapshot } from "../store/snapshot";
import { applyToModel, isConnected, replaceModel } from "../store/state";
import { followStoredDrafts } from "../store/stored-drafts";
import { applyToTopics, renewTopics } from "../store/topics";
import { applyToTyping } from "../store/typing";
import { applyToKept, beginKeeping, renewKept } from "./keeping";
import { applyToNotifications, beginNotifications, renewNotifications } from "./notifications";

/**
 * Starts everything that runs while the page is open: texts and messages that an earlier page has
 * left, keys, and events, beginning with those since the page was made. It ends with the session.
 */
export async function begin(): Promise<void> {
  beginParts();
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
          applyToNotifications(events);
          applyToKept(events);
          applyToFollowers(events);
        }),
      renew: (renewed) => {
        // Somebody else has signed in, so everything of the previous person is removed.
        if (renewed.user_id !== snapshot.user_id) return location.reload();
        batch(() => {
          replaceModel(renewed);
          refreshFeeds();
          requestLostMessages(renewed.max_message_id);
          renewActions();
          renewLists();
          renewFollowers();
        });
        renewNotifications(renewed.max_message_id);
        renewKept(renewed);
      },
      follow: (id) => {
        queueId.value = id;
      },
      connected: (isNow) => {
        isConnected.value = isNow;
      },
      polls: (isNow) => {
        isPolling.value = isNow;
      },
    },
  );
  // Without a session it goes to the login page; with a session, it reloads.
  if (status !== 401) return location.reload();
  if (isLeaving()) return;
  await forgetAll();
  location.assign(`/login?next=%2F&ended=true${location.hash}`);
}

/** Begins all that works without events. */
function beginParts(): void {
  followKeys();
  keepFocus();
  tellCutNames();
  forgetFormerPeople();
  followPresence();
  openDrafts();
  openOutbox();
  followStoredDrafts();
  followDrops();
  followLinkedMessages();
  followEmptiedTopics();
  followReading();
  void storeZoneHere();
  void renewEditing();
  void beginNotifications();
  void beginKeeping();
}

/** Applies events to the lists that views have loaded. */
function applyToLists(events: readonly Event[]): void {
  applyToMembers(events);
  applyToTopics(events);
  applyToRecent(events);
  applyToFiles(events);
  applyToTyping(events);
  applyToArrivals(events);
}

/** Loads these lists again after events were missed. */
function renewLists(): void {
  renewMembers();
  renewTopics();
  renewRecent();
  renewFiles();
}
