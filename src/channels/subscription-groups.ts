import type { SubscriptionRow } from "./subscribers";

/**
 * People whose subscriptions have equal settings, including colors, in groups, for one event each.
 */
export function groupByEqualRows(
  all: { userId: number; rows: SubscriptionRow[] }[],
): { sharedRows: SubscriptionRow[]; userIds: number[] }[] {
  const groups = Map.groupBy(all, ({ rows }) =>
    JSON.stringify(rows.map((row) => ({ ...row, userId: 0 }))),
  );
  return [...groups.values()].map((group) => ({
    sharedRows: group[0]?.rows ?? [],
    userIds: group.map(({ userId }) => userId),
  }));
}
