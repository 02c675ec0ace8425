/**
 * Number of subscriptions that count as one request. A write of 50,000 subscriptions takes SQLite
 * some 300 ms, in which nobody else is served.
 */
const subscriptionsPerRequest = 50;

/** Parameters with lists of channels, and with lists of people. */
const channelLists = ["subscriptions", "add", "delete"];
const peopleLists = ["principals", "subscribers"];

/**
 * Number of requests that a request for many subscriptions counts as. It is computed from the
 * lists' lengths, before anything is looked up.
 */
export function subscriptionsCost(parameters: ReadonlyMap<string, string>): number {
  const countIn = (names: readonly string[]) =>
    names.reduce((count, name) => count + itemCount(parameters.get(name)), 0);
  const subscriptions = Math.max(1, countIn(channelLists)) * Math.max(1, countIn(peopleLists));
  return Math.ceil(subscriptions / subscriptionsPerRequest);
}

/**
 * Number of items in the JSON of a list of objects or of names; at least that, because a name may
 * contain a brace or a comma.
 */
function itemCount(list: string | undefined): number {
  if (list === undefined) return 0;
  const isOfObjects = /^\s*\[\s*\{/.test(list);
  return isOfObjects ? list.split("{").length - 1 : list.split(",").length;
}
