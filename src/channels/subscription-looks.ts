import type { SubscriptionRow } from "./subscribers";

/** Users grouped by equal settings of their subscriptions, including colors. */
export function groupByLook(
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
