import type { ChannelRow } from "../../../channels/queries";
import { roles } from "../../../core/rights/role";
import { subscribeUsers } from "../../../management/subscriptions/subscribe";
import { unsubscribeUsers } from "../../../management/subscriptions/unsubscribe";
import { emailKeyOf } from "../../../people/users/queries";
import type { Change } from "../change";
import { type Dumping, emailsOf } from "../dumping";
import { type Node, readTexts } from "../file/decode";
import type { Path } from "../file/problems";
import { activeEmails, differenceOf, findNamed, listNames, type Planning } from "../planning";
import { channelNamed, userIds } from "../work";

/**
 * `all`: all active people except guests, and the bots of the file. A list: exactly the accounts
 * with these e-mail addresses.
 */
export type DeclaredSubscribers = "all" | string[];

/** Reads `subscribers` of a channel; mistakes become problems with their place. */
export function readSubscribers(node: Node): DeclaredSubscribers | undefined {
  const { fields, path, problems } = node;
  if (fields.subscribers === "all") return "all";
  if (typeof fields.subscribers === "string") {
    problems.push({
      path: [...path, "subscribers"],
      message: "subscribers must be 'all' or a list of e-mail addresses.",
    });
    return undefined;
  }
  return readTexts(node, "subscribers", (text) => text.trim());
}

/**
 * Plans changes of subscribers. `subscribers: all` means every active person except guests, and the
 * bots that the file declares, because a bot receives only messages of channels to which it is
 * subscribed. Guests and other bots are subscribed only to channels whose lists name them. `all`
 * unsubscribes nobody, while a list is made exact.
 */
export function planSubscribers(
  planning: Planning,
  { name, subscribers }: { name: string; subscribers: DeclaredSubscribers | undefined },
  row: ChannelRow | undefined,
  index: number,
) {
  const { accounts, stored, changes, declaration } = planning;
  if (subscribers === undefined) return;
  const current = activeEmails(planning, row && stored.subscribers.get(row.id));
  const bots = new Set(declaration.bots.map(({ email }) => emailKeyOf(email)));
  const wanted =
    subscribers === "all"
      ? [...accounts.values()].filter(
          ({ email, isActive, isBot, role }) =>
            isActive && (isBot ? bots.has(emailKeyOf(email)) : role !== roles.guest),
        )
      : subscribers.flatMap(
          (email, place) =>
            findNamed(planning, email, ["channels", index, "subscribers", place]) ?? [],
        );
  const emails = wanted.map(({ email }) => email);
  const { add, remove } = differenceOf(emails, current);
  const path = ["channels", index, "subscribers"];
  if (add.length > 0) changes.push(subscribe(path, name, add));
  if (remove.length > 0 && subscribers !== "all") changes.push(unsubscribe(path, name, remove));
}

const subscribe = (path: Path, channel: string, emails: string[]): Change => ({
  lines: [`+ subscription ${channel}: ${listNames(emails)}`],
  path,
  carryOut: (work) =>
    subscribeUsers(work.tx, work.ctx, [channelNamed(work, channel)], userIds(work, emails)),
});

const unsubscribe = (path: Path, channel: string, emails: string[]): Change => ({
  lines: [`- subscription ${channel}: ${listNames(emails)}`],
  path,
  carryOut: (work) =>
    unsubscribeUsers(work.tx, work.ctx, [channelNamed(work, channel)], userIds(work, emails)),
});

/**
 * The subscribers of a channel as the file has them: `all` for a default channel whose subscribers
 * are exactly the accounts that `all` means; otherwise a list.
 */
export function dumpSubscribers(dumping: Dumping, row: ChannelRow): DeclaredSubscribers {
  const { accounts, stored } = dumping;
  const emails = emailsOf(dumping, stored.subscribers.get(row.id) ?? []);
  const all = emailsOf(
    dumping,
    [...accounts.values()]
      .filter(({ botType, role }) => botType !== null || role !== roles.guest)
      .map(({ id }) => id),
  );
  return row.isDefault && Bun.deepEquals(emails, all) ? "all" : emails;
}
