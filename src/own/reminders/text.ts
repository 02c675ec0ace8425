import type { Reader } from "../../../db/reader";
import { quoted } from "../../markdown/quote";
import { messageAddress } from "../../reading/message-address";
import type { MessageRow } from "../../reading/queries";

const noteParts = (note: string) => (note.trim() === "" ? [] : ["Your note:", quoted(note)]);

/** Text of a waiting reminder, in Markdown: the place of the message, and the note. */
export async function reminderContent(
  reader: Reader,
  realmId: number,
  message: MessageRow,
  note: string,
) {
  const address = await messageAddress(reader, realmId, message);
  return [`You asked to be reminded of [a message](${address}).`, ...noteParts(note)].join("\n\n");
}

/** Text of a delivered reminder, for a message that can still be read and for one that cannot. */
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
