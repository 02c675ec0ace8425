import type { ClientState } from "../client-state";

type Row = ClientState;

/**
 * The channels that somebody is not in, as far as events can tell: of one that comes into their
 * sight again, `stream` create does not say that they were in it once, nor how they had set it up.
 */
export function withoutForgotten(client: ClientState, after: ClientState): Partial<ClientState> {
  const isNew = ({ stream_id }: Row) =>
    client.never_subscribed.find((row: Row) => row.stream_id === stream_id) as Row | undefined;
  const asNew = after.unsubscribed.flatMap((row: Row) => {
    const shape = isNew(row);
    return shape ? [Object.fromEntries(Object.entries(row).filter(([key]) => key in shape))] : [];
  });
  return {
    unsubscribed: after.unsubscribed.filter((row: Row) => !isNew(row)),
    never_subscribed: [...after.never_subscribed, ...asNew],
  };
}
