import { Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { findChannelsByIds } from "../../channels/queries";
import {
  findSubscriptions,
  listOwnSubscriptions,
  type SubscriptionRow,
} from "../../channels/subscribers";
import { subscriptionUpdated } from "../../channels/subscription-events";
import type { Context, OfPerson, Person, Tx, UserRow } from "../../core/context";
import { badRequest, channelIdUnknown } from "../../core/errors";
import { either, flag, type Input, id, record, text } from "../../core/params";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { parseColor } from "./colors";

const changesMax = 500;

export const ChangeProperties = record({
  subscriptionData: Type.Array(
    Type.Object({
      stream_id: id(),
      property: text(),
      value: Type.Union([Type.Boolean(), Type.String()]),
    }),
    { maxItems: changesMax },
  ),
});

export const ChangeProperty = record({
  streamId: id(),
  property: text(),
  value: either(flag(), text()),
});

interface Change {
  channelId: number;
  columns: Partial<SubscriptionRow>;
  /** The properties for clients, with their values. */
  changedProperties: [string, boolean | string][];
}

/** The boolean settings of a subscription, by their names in the protocol. */
const switches = new Map<string, keyof SubscriptionRow>([
  ["pin_to_top", "pinToTop"],
  ["desktop_notifications", "desktopNotifications"],
  ["audible_notifications", "audibleNotifications"],
  ["push_notifications", "pushNotifications"],
  ["email_notifications", "emailNotifications"],
  ["wildcard_mentions_notify", "wildcardMentionsNotify"],
]);

/**
 * Changes settings of the actor's subscriptions: all of them or, when one is refused, none.
 * Announces `subscription` update to the actor's own clients, also for unchanged values; for
 * `is_muted` and `in_home_view` both, because each is the other's reverse. Refuses channels that
 * the actor is not subscribed to, archived ones, and unknown properties and values. Source:
 * `docs/protocol/specification.md`, POST /users/me/subscriptions/properties.
 */
export async function changeProperties(
  ctx: Context<Person>,
  { subscriptionData }: Input<typeof ChangeProperties>,
): Promise<undefined> {
  const changes = subscriptionData.map(({ stream_id, property, value }) =>
    readChange(stream_id, property, value),
  );
  await write(ctx, (tx) => changeIn(tx, ctx, changes));
}

/** Changes one setting of one subscription. */
export async function changeProperty(
  ctx: Context<Person>,
  { streamId, property, value }: Input<typeof ChangeProperty>,
): Promise<undefined> {
  const change = readChange(streamId, property, value);
  await write(ctx, (tx) => changeIn(tx, ctx, [change]));
}

function readChange(channelId: number, property: string, value: boolean | string): Change {
  if (property === "color") return { channelId, ...readColor(value) };
  if (typeof value !== "boolean") throw badRequest(`${property} must be true or false.`);
  if (property === "is_muted" || property === "in_home_view") {
    const isMuted = property === "is_muted" ? value : !value;
    const changedProperties: Change["changedProperties"] = [
      ["in_home_view", !isMuted],
      ["is_muted", isMuted],
    ];
    return { channelId, columns: { isMuted }, changedProperties };
  }
  const column = switches.get(property);
  if (column === undefined) throw badRequest(`A subscription has no setting '${property}'.`);
  return { channelId, columns: { [column]: value }, changedProperties: [[property, value]] };
}

function readColor(value: boolean | string): Pick<Change, "columns" | "changedProperties"> {
  const color = typeof value === "string" ? parseColor(value) : undefined;
  if (color === undefined)
    throw badRequest("color must be a hexadecimal color, for example #5b8def.");
  return { columns: { color }, changedProperties: [["color", color]] };
}

async function changeIn(tx: Tx, outer: Context<Person>, changes: readonly Change[]) {
  const { actor, realm } = await renewContext(tx, outer);
  const { id: userId } = actor.user;
  const who = { realmId: realm.id, userId };
  const channelIds = [...new Set(changes.map(({ channelId }) => channelId))];
  const rows =
    channelIds.length === 0 ? [] : await findSubscriptions(tx, realm.id, channelIds, [userId]);
  const subscribedIds = new Set(
    rows.filter(({ isActive }) => isActive).map(({ channelId }) => channelId),
  );
  const channels = await findChannelsByIds(tx, realm.id, [...subscribedIds]);
  const archived = channels.find(({ isArchived }) => isArchived);
  if (archived)
    throw badRequest(`The channel '${archived.name}' is archived: it cannot be changed.`);
  for (const { channelId, columns, changedProperties } of changes) {
    if (!subscribedIds.has(channelId)) throw badRequest(channelIdUnknown(channelId).message);
    await store(tx, who, channelId, columns);
    for (const [property, value] of changedProperties) {
      const event = subscriptionUpdated({ stream_id: channelId, property, value });
      await tx.emit({ to: "users", ids: [userId] }, event);
    }
  }
}

/**
 * Turns off mails about single channels, as part of unsubscribing from such mails. Event:
 * subscription update for each of the person's channels, to them.
 */
export async function endChannelMailsIn(
  tx: Tx,
  { realmId, id }: Pick<UserRow, "realmId" | "id">,
): Promise<void> {
  for (const { channelId, emailNotifications, isActive } of await listOwnSubscriptions(
    tx,
    realmId,
    id,
  )) {
    if (!emailNotifications) continue;
    await store(tx, { realmId, userId: id }, channelId, { emailNotifications: false });
    const event = subscriptionUpdated({
      stream_id: channelId,
      property: "email_notifications",
      value: false,
    });
    if (isActive) await tx.emit({ to: "users", ids: [id] }, event);
  }
}

async function store(
  tx: Tx,
  { realmId, userId }: OfPerson,
  channelId: number,
  columns: Partial<SubscriptionRow>,
) {
  const { subscriptions } = tx.t;
  const isOwn = and(
    eq(subscriptions.realmId, realmId),
    eq(subscriptions.userId, userId),
    eq(subscriptions.channelId, channelId),
  );
  await tx.db.update(subscriptions).set(columns).where(isOwn);
}
