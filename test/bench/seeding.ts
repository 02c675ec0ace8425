/** Rows that `seed.ts` leaves in a database and the scenarios look for. */

/**
 * The channel that the organization file makes, with all its people; the stored messages are in it.
 */
export const messagesChannel = "general";
/** A channel of the first people of the organization. */
export const smallChannel = "small";
export const smallChannelMembers = 10;
/** A channel with everybody in it. */
export const crowdChannel = "crowd";
/** Over how many topics the stored messages are spread: `topic0` and so on. */
export const topicCount = 8;
/** Of so many unread messages a register tells at the most. */
export const unreadTold = 50_000;
/** With how many unread messages it must cost what it does with the fewest. */
export const comparedCounts = [20_000, 100_000, 1_000_000];
/**
 * Numbers of consecutive messages that the first people of the organization have not read, where
 * `seed.ts` is told to leave some unread; the others have read everything.
 */
export const unreadCounts = [1_000, unreadTold, ...comparedCounts];
