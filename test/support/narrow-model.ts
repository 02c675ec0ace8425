/**
 * Knowledge of messages that the fuzz of narrows keeps by itself, to compare the server's answers
 * with.
 */

/** Facts about a message that the test itself knows. */
export interface Known {
  id: number;
  senderId: number;
  channel: ChannelName | undefined;
  people: number[];
  topic: string;
  words: string[];
  marks: Set<"link" | "image" | "attachment" | "reaction">;
  receivedBy: Set<number>;
  /**
   * For whom it counts as read without their saying so: its sender, unless a program sent it, and
   * who has left.
   */
  readAnyway: Set<number>;
}
export type ChannelName = keyof typeof channelKinds;

export const channelKinds = {
  general: "public",
  other: "public",
  secret: "protected",
  plans: "private",
} as const;
export const topics = ["lunch", "Lunch", "plans for lunch", "✔ done", "", "日本"];
export const vocabulary = ["apple", "apples", "pear", "green", "日本語", "café", "running", "soup"];
export const extras = {
  link: '<a href="https://example.com/x">there</a>',
  image: '<a href="/user_uploads/1/ab/cat.png">cat</a>',
  attachment: '<a href="/user_uploads/1/ab/notes.txt">notes</a>',
};

/** A term of a narrow, and of which messages it holds for whom. */
export interface Term {
  operator: string;
  operand: unknown;
  negated: boolean;
  holds(message: Known, viewer: number): boolean;
  asks?: "channel" | "direct";
  opensHistory?: boolean;
}

/** Searches, and a word in a message that each finds; for phrases all of them in a row. */
export const searches: [string, (text: string[]) => boolean][] = [
  ["apple", (text) => text.some((word) => word === "apple" || word === "apples")],
  ["APPLES pear", (text) => text.some((word) => word.startsWith("apple")) && text.includes("pear")],
  ["cafe", (text) => text.includes("café")],
  ["run", (text) => text.includes("running")],
  ["日本", (text) => text.some((word) => word.startsWith("日本"))],
  ["lunch", (text) => text.includes("lunch")],
  [
    '"green apple"',
    (text) => text.some((word, i) => word === "green" && text[i + 1]?.startsWith("apple")),
  ],
  ["there", (text) => text.includes("there")],
];
