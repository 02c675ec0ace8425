/**
 * Limits for requests of clients that the operator cannot change. Lengths are in Unicode code
 * points.
 */
export const protocolLimits = {
  maxMessageLength: 10_000,
  maxTopicLength: 60,
  maxStreamNameLength: 60,
  maxStreamDescriptionLength: 1024,
  maxChannelFolderNameLength: 60,
  maxChannelFolderDescriptionLength: 1024,
  maxReminderNoteLength: 1000,
  /** Clients have this limit built in. */
  maxReportDescriptionLength: 1000,
  /** Number of new subscribers up to which each gets a direct message. */
  maxBulkNewSubscriptionMessages: 100,
  passwordMinLength: 8,
  passwordMaxLength: 100,
};
