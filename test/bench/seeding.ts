/** What `seed.ts` leaves in a database and the scenarios look for. */

/** The channel that the organization file makes, with all its people; the stored messages are in it. */
export const messagesChannel = "general";
/** A channel of the first people of the organization. */
export const smallChannel = "small";
export const smallChannelMembers = 10;
/** A channel with everybody in it. */
export const crowdChannel = "crowd";
/** Over how many topics the stored messages are spread: `topic0` and so on. */
export const topicCount = 8;
