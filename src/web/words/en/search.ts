/**
 * Operators of a search with the words that explain them, in the order in which they are offered.
 */
const operators = {
  "channel:": "Messages in a channel",
  "topic:": "Messages in a topic",
  "sender:": "Messages that a person has sent",
  "dm:": "Direct messages with people",
  "is:unread": "Unread messages",
  "has:attachment": "Messages with files",
  "has:link": "Messages with links",
  "has:image": "Messages with images",
  "has:reaction": "Messages with reactions",
  "is:starred": "Starred messages",
  "is:mentioned": "Messages that mention you",
  "is:followed": "Messages in followed topics",
  "is:dm": "Direct messages",
  "is:alerted": "Messages with your alert words",
  "is:resolved": "Messages in resolved topics",
  "is:muted": "Muted messages",
  "dm-including:": "Direct messages that include a person",
  "mentions:": "Messages that mention a person",
  "in:home": "Messages that are not muted",
  "in:all": "All messages, including muted ones",
  "channels:public": "Messages in public channels",
  "channels:web-public": "Messages in channels open to the web",
  "channels:archived": "Messages in archived channels",
  "near:": "Around a message, by its number",
  "id:": "A message, by its number",
  "with:": "Conversation of a message, by its number",
};

/** Words of the search, which its own part of the page brings along. */
export const search = {
  everywhere: "Search everywhere",
  field: "Search messages",
  hint: "Words, or channel: sender: has: is: …",
  incomplete: "The newest messages are still being indexed, so some may be missing here.",
  misread: {
    noOperator: (typed: string) => `“${typed}” is not an operator`,
    noOperand: (typed: string) => `“${typed}” needs a value after its operator`,
    noChannel: (typed: string) => `“${typed}” is not the name of a channel that you can see`,
    noPerson: (typed: string) => `“${typed}” is not the name of a person here`,
    severalPeople: (typed: string) =>
      `“${typed}” may mean several people: choose one from the list`,
    noNumber: (typed: string) => `“${typed}” needs the number of a message`,
    wordNegated: (typed: string) => `“${typed}”: words cannot be excluded, only operators can`,
  },
  misreadAll: (reasons: readonly string[]) => `${reasons.join("; ")}. Searched as words.`,
  operators,
  /** Notes behind a person, by the operator that takes them. */
  people: {
    sender: "messages from this person",
    mentions: "messages that mention this person",
    dm: "direct messages with this person",
    "dm-including": "direct messages that include them",
  },
  recent: "recent search",
  suggestions: "Suggestions",
};
