const plural = new Intl.PluralRules("en");
const messages = (count: number) =>
  plural.select(count) === "one" ? "1 message" : `${count} messages`;

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
  readElsewhere:
    "Here you read along. To write, use a client of your organization: your account says how to connect one.",
  searchResults: "Search results",
  tryAgain: "Try again",
  unknownUser: "Unknown user",
  unread: (count: number) => `${messages(count)} unread`,
  you: "you",
};

/** Texts of a language: one that lacks a text does not compile. */
export type Words = typeof en;
