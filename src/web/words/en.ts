import { actions } from "./en/actions";
import { grouped, messages } from "./en/counts";
import { views } from "./en/views";

/** Texts of the web client in English. */
export const en = {
  actions,
  allMessages: "All messages",
  back: "Back to conversations",
  channels: "Channels",
  close: "Close",
  conversations: "Conversations",
  directMessages: "Direct messages",
  copied: "Copied",
  copyCode: "Copy",
  offline:
    "You are offline. You see what this browser has saved; what you write will be sent later.",
  disconnected: "Cannot reach the server. Trying again…",
  edited: "(edited)",
  emptyChannels: "You are not in any channel yet.",
  emptyDirect: "Nobody has written to you directly yet.",
  /** Keys of a command, such as `Ctrl Space`, by their names on keyboards of the language. */
  keys: (keys: string) => keys.replace(/^Page(?=Up|Down)/, "Page "),
  loading: "Loading messages…",
  messages: "Messages",
  moved: "(moved)",
  newMessages: (count: number) => `${grouped(count)} new`,
  noTopic: "general chat",
  notes: "Notes to yourself",
  notCopied: "Not copied",
  notLoaded: (why: string) => `Not loaded: ${why}`,
  nowhere: "This link does not lead anywhere here.",
  nowhereHelp:
    "The channel or message may be gone, you may not be allowed to see it, or the link was not copied completely.",
  reactions: (emoji: string, count: number, who: string) => `${emoji}: ${grouped(count)} (${who})`,
  pinned: "Pinned",
  reactionList: "Reactions",
  bot: "bot",
  /** Names of roles by number. The role of a member is not named. */
  roles: new Map([
    [100, "owner"],
    [200, "administrator"],
    [300, "moderator"],
    [600, "guest"],
  ]),
  foundInside: "Found inside",
  runIn: (playground: string) => `Run in ${playground}`,
  searchResults: "Search results",
  showInConversation: "Show in conversation",
  toNewest: "To the newest message",
  tryAgain: "Try again",
  unknownUser: "Unknown user",
  unread: (count: number) => `${messages(count)} unread`,
  views,
  /** Texts that screen readers read when messages arrive. */
  arrivals: {
    one: (name: string, text: string) => `${name}: ${text}`,
    more: (name: string, text: string, count: number) =>
      `${name}: ${text}, and ${grouped(count)} more`,
  },
  you: "you",
};

/** The texts of a language. A language that lacks a text does not compile. */
export type Words = typeof en;
