import type { Reader } from "../../../db/reader";
import { quoted } from "../../markdown/quote";
import { messageAddress } from "../../reading/message-address";
import type { MessageRow } from "../../reading/queries";

const noteParts = (note: string) => (note.trim() === "" ? [] : ["Your note:", quoted(note)]);

/** Text of a reminder before its time, in Markdown: where the message stands, and the note. */
export async function reminderContent(
  reader: Reader,
  realmId: number,
  message: MessageRow,
  note: string,
) {
  const address = await messageAddress(reader, realmId, message);
  return [`You asked to be reminded of [a message](${address}).`, ...noteParts(note)].join("\n\n");
}

/**
 * Text that Notification Bot sends at its time, about a message that can be read or one that cannot
 * any more.
 */
export async function deliveredContent(
  reader: Reader,
  realmId: number,
  message: MessageRow | undefined,
  note: string,
): Promise<string> {
  if (!message) {
    const gone =
      "You asked to be reminded of a message. It is deleted, or you cannot read it any more.";
    return [gone, ...noteParts(note)].join("\n\n");
  }
  return [
    await reminderContent(reader, realmId, message, note),
    "It says:",
    quoted(message.content),
  ].join("\n\n");
}
