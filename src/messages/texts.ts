import type { Reader } from "../../db/reader";
import { rememberedItems } from "../core/remembered-items";
import type { NamedPerson } from "../users/shown";
import { completeMessages } from "./complete";
import { textsLength } from "./edit/edit-history";
import { findMessages, type PlacedMessage } from "./queries";
import { addressMask, type FullMessage, guardedPeople, type MessageView, messageWire } from "./wire";

/** How much of the messages that were read last is remembered, of all realms together. */
const rememberedBytesMax = 32 * 1024 * 1024;
/** What a remembered message takes beside its text. */
const messageBytes = 1_500;

/** A message, and its JSON by variant: it looks the same to most who read it. */
export interface MessageTexts {
  message: FullMessage;
  /** The people in it whose real addresses not everybody may read: they make for more variants. */
  guarded: NamedPerson[];
  texts: Map<string, string>;
}

export const makeTexts = (message: FullMessage): MessageTexts => ({
  ...{ message, texts: new Map() },
  guarded: guardedPeople(message),
});

const historyLength = ({ edits }: FullMessage) => edits.reduce((sum, edit) => sum + textsLength(edit), 0);

/** A message that was just sent, as its write leaves it in memory. */
const isSent = (live: unknown): live is { message: FullMessage; guarded: NamedPerson[] } =>
  typeof live === "object" && live !== null && "message" in live && "guarded" in live;

const messages = rememberedItems<MessageTexts>({
  tables: ["messages", "users", "channels", "linkifiers"],
  changedBy: [
    { type: "reaction", field: "message_id" },
    { type: "submessage", field: "message_id" },
    { type: "update_message", field: "message_ids" },
  ],
  broughtBy: {
    ...{ type: "message", field: "message_id" },
    itemOf: (live) => (isSent(live) ? { message: live.message, guarded: live.guarded, texts: new Map() } : undefined),
  },
  sizeBytesMax: rememberedBytesMax,
  // Its sources, and a variant of either.
  sizeBytesOf: ({ message }) =>
    messageBytes + 2 * (message.content.length + message.renderedContent.length + historyLength(message)),
  async load(reader, realmId, ids) {
    const found = await completeMessages(reader, realmId, await findMessages(reader, realmId, ids));
    return new Map(found.map((message) => [message.id, makeTexts(message)]));
  },
});

/** Messages by id for readers outside writes, without looking at who may read them. A missing one is left out. */
export const readMessages: (
  reader: Reader,
  realmId: number,
  ids: readonly number[],
) => Promise<Map<number, MessageTexts>> = messages.read;

/** Where messages are and whose, for a write: oldest first, without looking at who may read them. */
export async function findPlaced(reader: Reader, realmId: number, ids: readonly number[]): Promise<PlacedMessage[]> {
  const known = await messages.known(reader, realmId, ids);
  const found: PlacedMessage[] = [...known.values()].map(({ message }) => message);
  const missing = ids.filter((id) => !known.has(id));
  return [...found, ...(await findMessages(reader, realmId, missing))].sort((a, b) => a.id - b.id);
}

/** Message objects as JSON for one who reads them, up to where the value of their last member, the flags, comes. */
export function textWriter(view: MessageView): (texts: MessageTexts) => string {
  const { applyMarkdown, clientGravatar, emptyTopicName, isOfficialClient, realmHost, editHistory, onlooker } = view;
  const variant =
    [applyMarkdown, clientGravatar, emptyTopicName, isOfficialClient].map(Number).join("") + editHistory + realmHost;
  const write = ({ message }: MessageTexts) => `${JSON.stringify(messageWire(message, view)).slice(0, -1)},"flags":`;
  // Whom a guest sees is different from guest to guest.
  if (onlooker.seen !== undefined) return write;
  return (message) => {
    const { guarded, texts } = message;
    const mask = guarded.length === 0 ? "" : addressMask(guarded, onlooker);
    const key = mask === "" ? variant : `${variant} ${mask}`;
    let text = texts.get(key);
    if (text === undefined) {
      text = write(message);
      texts.set(key, text);
    }
    return text;
  };
}
