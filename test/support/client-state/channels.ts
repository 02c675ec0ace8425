import type { ClientState } from "./client-state";

type Row = ClientState;

/**
 * The channels to which a person is not subscribed, as far as events can tell: when a channel
 * becomes visible again, `stream` create reveals neither a former subscription nor its settings.
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
