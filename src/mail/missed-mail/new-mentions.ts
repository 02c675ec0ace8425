import { turn } from "../../core/turns/turn";
import { defineJob } from "../../jobs/define";
import type { Mail } from "../../letters/envelope";
import { NewMentions, newMentionsJobName } from "../../letters/new-mentions";
import { queueMail } from "../../letters/queue";
import { hasRelay, requireRelay } from "../../letters/relay-needed";
import { presentUntil } from "../../people/presence/present-until";
import { findCurrentPresences } from "../../people/presence/queries";
import { parseUserSettings } from "../../people/settings/user-settings";
import { findUsersByIds } from "../../people/users/queries";

/** Number of people who get mails in one run, and seconds until the next check of the others. */
const peopleMax = 100;
const checkSeconds = 60;

/**
 * Mails people whom an edit of a message has newly mentioned: each when their own delay is over,
 * they are not present and have not read the message.
 */
export const newMentionsJob = defineJob(
  newMentionsJobName,
  NewMentions,
  async (ctx, { messageId, userIds, at }) => {
    const { app, reader, realm, now } = ctx;
    requireRelay(app);
    const { composeAgain } = await import("./again");
    const goneAt = new Map(
      (await findCurrentPresences(ctx, userIds)).map(
        ({ userId, activeAt }) => [userId, presentUntil(activeAt)] as const,
      ),
    );
    const delays = new Map(
      (await findUsersByIds(reader, realm.id, userIds)).map(
        ({ id, settings }) =>
          [id, parseUserSettings(settings).email_notifications_batching_period_seconds] as const,
      ),
    );
    const isDue = (id: number) => now >= Math.max(at + (delays.get(id) ?? 0), goneAt.get(id) ?? 0);
    const due = new Set(userIds.filter(isDue).slice(0, peopleMax));
    const mails: Mail[] = [];
    for (const userId of due) {
      mails.push(...(await composeAgain(ctx, userId, [messageId])));
      await turn();
    }
    const others = userIds.filter((id) => !due.has(id));
    return async (tx) => {
      for (const mail of mails) await queueMail(tx, ctx, mail);
      return others.length === 0
        ? undefined
        : {
            payload: { messageId, userIds: others, at },
            at: due.size === peopleMax ? tx.now : tx.now + checkSeconds,
          };
    };
  },
  { canRun: hasRelay },
);
