/*
 * Limits for requests of clients that the operator cannot change. The server and the web client
 * have them from here.
 */

/** The greatest lengths of texts, in Unicode code points. */
export const lengthsMax = {
  message: 10_000,
  topic: 60,
  channelName: 60,
  channelDescription: 1_024,
  channelFolderName: 60,
  channelFolderDescription: 1_024,
  defaultChannelGroupName: 60,
  defaultChannelGroupDescription: 1_024,
  userGroupName: 100,
  userGroupDescription: 1_024,
  realmName: 40,
  realmDescription: 1_000,
  emojiName: 100,
  fullName: 100,
  /** RFC 5321, 4.5.3.1.3: a path has 256 characters, of which two are its angle brackets. */
  emailAddress: 254,
  password: 100,
  status: 60,
  alertWord: 100,
  snippetTitle: 60,
  reminderNote: 1_000,
  /** Clients have this limit built in. */
  reportDescription: 1_000,
  profileFieldName: 40,
  /** Values of profile fields, by the kind of the field. */
  profileShortText: 50,
  profileParagraph: 500,
  profileLink: 2_000,
};

export const passwordLengthMin = 8;

/** Number of people above which a mention of everybody needs a permission. */
export const manyMentioned = 15;

/** Number of new subscribers up to which each gets a direct message. */
export const subscribersToldMax = 100;
