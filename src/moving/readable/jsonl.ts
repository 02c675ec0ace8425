import { isoTime } from "../../core/clock";
import { pathInFolder } from "./addresses";
import type { NewFolder } from "./folder";
import type { ReadableForm } from "./form";
import type { Directory, ReadableMessage } from "./read";

const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`;

/** An organization as lines of JSON: `people.jsonl`, `channels.jsonl` and `messages.jsonl`. */
export const jsonlForm = (folder: NewFolder): ReadableForm => ({
  // An organization without messages has this file, too.
  begin: () => folder.append("messages.jsonl", ""),
  add: (messages) => folder.append("messages.jsonl", messages.map(messageLine).join("")),
  async end({ people, channels }: Directory) {
    for (const [name, lines] of Object.entries({
      people: [...people].map(([id, person]) => lineOf({ id, ...person })),
      channels: [...channels].map(([id, { title }]) => lineOf({ id, name: title.slice(1) })),
    }))
      await folder.append(`${name}.jsonl`, lines.join(""));
  },
});

const messageLine = (message: ReadableMessage) =>
  lineOf({
    id: message.id,
    sent_at: isoTime(message.sentAt),
    ...(message.lastEditedAt === null ? {} : { last_edited_at: isoTime(message.lastEditedAt) }),
    sender: message.sender,
    ...(message.place.isChannel
      ? { channel: message.place.title.slice(1), topic: message.topic }
      : { direct: message.place.title }),
    content: message.content,
    html: message.html,
    reactions: message.reactions,
    files: message.files.map(({ path, name }) => ({ name, path: pathInFolder(path) ?? null })),
  });
