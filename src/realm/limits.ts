/**
 * Limits for the requests of clients, except those that the operator chooses. Lengths are in
 * Unicode code points.
 */
export const protocolLimits = {
  maxMessageLength: 10_000,
  maxTopicLength: 60,
  maxStreamNameLength: 60,
  maxStreamDescriptionLength: 1024,
  maxChannelFolderNameLength: 60,
  maxChannelFolderDescriptionLength: 1024,
  maxReminderNoteLength: 1000,
  /** Clients know it by themselves. */
  maxReportDescriptionLength: 1000,
  /** Up to so many new subscribers at once are told of it by a direct message each. */
  maxBulkNewSubscriptionMessages: 100,
  passwordMinLength: 8,
  passwordMaxLength: 100,
};
