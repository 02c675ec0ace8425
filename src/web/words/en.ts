const plural = new Intl.PluralRules("en");
const messages = (count: number) =>
  plural.select(count) === "one" ? "1 message" : `${count} messages`;

const characters = (count: number) =>
  plural.select(count) === "one" ? "1 character" : `${count} characters`;

/** Texts of the web client in English. */
export const en = {
  account: "Your account",
  allMessages: "All messages",
  back: "Back to conversations",
  channels: "Channels",
  conversations: "Conversations",
  directMessages: "Direct messages",
  disconnected: "The server does not answer. Trying again…",
  edited: "(edited)",
  emptyChannels: "You are in no channel yet.",
  emptyDirect: "Nobody has written to you directly yet.",
  emptyFeed: "No messages here yet.",
  loading: "Loading messages…",
  messages: "Messages",
  noTopic: "general chat",
  notes: "Notes to yourself",
  notLoaded: (why: string) => `Not loaded: ${why}`,
  nowhere: "This link leads nowhere here.",
  nowhereHelp: "The channel or the message may be gone, or the address was not copied in full.",
  reactions: (emoji: string, count: number, who: string) => `${emoji}: ${count} (${who})`,
  pinned: "Pinned",
  reactionList: "Reactions",
  searchResults: "Search results",
  tryAgain: "Try again",
  unknownUser: "Unknown user",
  unread: (count: number) => `${messages(count)} unread`,
  you: "you",
  /** The box in which messages are written. */
  compose: {
    channel: "Channel",
    chooseChannel: "Choose a channel",
    choosePeople: "Choose who this goes to.",
    chooseTopic: "Messages in this channel need a topic.",
    edit: "Edit",
    messageTo: (recipient: string) => `Message to ${recipient}`,
    newLine: "new line",
    nothingToSend: "Nothing is written yet.",
    notSent: (why: string) => `Not sent: ${why}`,
    placeholder: "Write a message",
    send: "Send",
    sendAnyway: "Send it",
    sends: "sends",
    tooLong: (over: number) => `Too long by ${characters(over)}.`,
    topic: "Topic",
    topicTooLong: (over: number) => `The topic is too long by ${characters(over)}.`,
    unclear: "The connection was lost while this was sent, and it is not among your messages.",
    wasSent: "Drop it",
  },
};

/** Texts of a language: one that lacks a text does not compile. */
export type Words = typeof en;
