/** What clients may send at most. Lengths are in Unicode code points. */
export interface RealmLimits {
  maxFileUploadSizeMib: number;
  maxAvatarFileSizeMib: number;
  maxIconFileSizeMib: number;
  maxLogoFileSizeMib: number;
  maxMessageLength: number;
  maxTopicLength: number;
  maxStreamNameLength: number;
  maxStreamDescriptionLength: number;
  maxChannelFolderNameLength: number;
  maxChannelFolderDescriptionLength: number;
  maxReminderNoteLength: number;
  /** Up to so many new subscribers at once are told of it by a direct message each. */
  maxBulkNewSubscriptionMessages: number;
  passwordMinLength: number;
  passwordMaxLength: number;
}

/** The limits of the protocol, for all that the operator does not choose. */
export const protocolLimits: Omit<RealmLimits, "maxFileUploadSizeMib"> = {
  maxAvatarFileSizeMib: 5,
  maxIconFileSizeMib: 5,
  maxLogoFileSizeMib: 5,
  maxMessageLength: 10_000,
  maxTopicLength: 60,
  maxStreamNameLength: 60,
  maxStreamDescriptionLength: 1024,
  maxChannelFolderNameLength: 60,
  maxChannelFolderDescriptionLength: 1024,
  maxReminderNoteLength: 1000,
  maxBulkNewSubscriptionMessages: 100,
  passwordMinLength: 8,
  passwordMaxLength: 100,
};
