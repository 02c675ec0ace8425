import { embeddedBotsAnswer } from "./bots/embedded-bots/job";
import { outgoingWebhooksAnswer } from "./bots/outgoing-webhooks/job";
import type { Steps } from "./core/steps";
import { devicesTold } from "./devices/push/note-sent";
import { invitationsWithdrawn } from "./people/invited/store";
import { statusesForgotten } from "./people/status/store";
import { accessRemoved } from "./sign-in/api-keys";
import { filesLinked } from "./uploads/links";

/**
 * Work of features in the writes that send messages and end accounts, in the order in which it is
 * done. The writes get it through `App.steps`, because their wings may not load all of it.
 */
export const steps: Steps = {
  messageStored: [
    // Before the message's event, because the client of a file's owner should know of the link when
    // it gets the message.
    filesLinked,
  ],
  messageAnnounced: [
    // Bots first, because jobs are taken in the order in which they were enqueued, and people wait
    // for an answer.
    outgoingWebhooksAnswer,
    embeddedBotsAnswer,
    // Then the devices of people who may not be there: a moment later is soon enough.
    devicesTold,
  ],
  accountsEnded: [
    // First, because nobody acts or receives events as one of the accounts from here on: their
    // queues do not get the events that follow.
    accessRemoved,
    // The order of the others is free, because neither looks at what the other changes.
    statusesForgotten,
    invitationsWithdrawn,
  ],
};
