import { grouped, plural } from "./counts";

/** Words for changing a message, and for what has become of it. */
export const changes = {
  changedMeanwhile: "Someone else has edited this message. It now says:",
  deleteTitle: "Delete this message?",
  deleteWarning: "This deletes it for everyone and cannot be undone.",
  editedBy: (who: string) => `${who} edited`,
  giveUp: "Discard",
  gone: "The message is gone",
  goneHelp: "It was deleted while you were changing it. Here is your text:",
  goneOfLink: "The message of this link was deleted, or you may not read it.",
  goOn: "Keep editing",
  history: "Edit history",
  moveAll: "All messages of the topic",
  moved: (channel: string, topic: string) => `Moved to ${channel} › ${topic}`,
  movedBy: (who: string) => `${who} moved`,
  movedHere: "The message was moved here.",
  topicMovedHere: "The topic was moved here. To begin it anew, open its former name again.",
  movedOfLink: (place: string) => `The message of this link was moved to ${place}.`,
  moveLater: "This message and those after it",
  moveNotices: "Post a notice",
  moveOne: "This message",
  moveTitle: "Move message",
  moveWhich: "Move",
  noReaders: "Nobody has read it yet.",
  readers: (count: number) =>
    plural.select(count) === "one"
      ? "1 person has read this"
      : `${grouped(count)} people have read this`,
  sentBy: (who: string) => `${who} wrote`,
  source: "Source of the message",
  takeTheirs: "Use their text",
  tellNew: "In the new topic",
  tellOld: "In the old topic",
};
