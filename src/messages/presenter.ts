import type { Reader } from "../../db/reader";
import type { LogEntry } from "../core/context";
import type { Presenter, QueueOptions, Recipient } from "../core/event-hub";
import { flagsOfMessages } from "./flags-state";
import { matchesEventNarrow, parseEventNarrow } from "./narrow";
import { completeMessages, filterReadable, findMessages } from "./queries";
import { type FullMessage, messageWire } from "./wire";

/** What a send leaves in memory for the delivery of its event. */
export interface LiveMessage {
  message: FullMessage;
  realmHost: string;
  local: { queueId: string; localId: string } | undefined;
  /** The message as JSON, by variant. */
  texts: Map<string, string>;
}

const isLiveMessage = (live: unknown): live is LiveMessage =>
  typeof live === "object" && live !== null && "texts" in live && "message" in live;

/** Writes `message` events: the message as it is now, serialized once per variant, and the recipient's own flags. */
export function messagePresenter(reader: Reader, hostOf: (realmId: number) => Promise<string>): Presenter {
  return {
    live(entry, recipient) {
      const { live } = entry;
      if (!isLiveMessage(live)) return undefined;
      const isOwn = live.message.senderId === recipient.userId;
      return present(live, isOwn && live.message.readBySender ? ["read"] : [], recipient);
    },
    async late(entries, recipient) {
      const realmId = entries[0]?.realmId ?? 0;
      const entryByMessage = new Map(entries.map((entry) => [messageIdOf(entry), entry]));
      const who = { realmId, userId: recipient.userId, role: recipient.role };
      const rows = await filterReadable(reader, who, await findMessages(reader, realmId, [...entryByMessage.keys()]));
      const flags = await flagsOfMessages(reader, who, rows);
      const realmHost = await hostOf(realmId);
      const texts = new Map<number, string>();
      for (const complete of await completeMessages(reader, realmId, rows)) {
        const entry = entryByMessage.get(complete.id);
        if (!entry) continue;
        const local = isLiveMessage(entry.live) ? entry.live.local : undefined;
        const message = { ...complete, reactions: [] };
        const text = present({ message, realmHost, local, texts: new Map() }, flags.get(message.id) ?? [], recipient);
        if (text !== undefined) texts.set(entry.id, text);
      }
      return texts;
    },
  };
}

const messageIdOf = ({ event }: LogEntry): number => (typeof event["message_id"] === "number" ? event["message_id"] : 0);

function present(live: LiveMessage, flags: string[], { queueId, options }: Recipient): string | undefined {
  if (options.narrow.length > 0 && !matchesNarrow(live.message, flags, options)) return undefined;
  const key = variantOf(options);
  let text = live.texts.get(key);
  if (text === undefined) {
    const view = { ...options, realmHost: live.realmHost };
    text = `"type":"message","message":${JSON.stringify(messageWire(live.message, view))}`;
    live.texts.set(key, text);
  }
  const isSender = live.local?.queueId === queueId;
  const local = isSender ? `,"local_message_id":${JSON.stringify(live.local?.localId)}` : "";
  return `${text},"flags":${JSON.stringify(flags)}${local}`;
}

const variantOf = ({ applyMarkdown, clientGravatar, emptyTopicName, isOfficialClient }: QueueOptions) =>
  [applyMarkdown, clientGravatar, emptyTopicName, isOfficialClient].map(Number).join("");

function matchesNarrow(message: FullMessage, flags: string[], { narrow }: QueueOptions): boolean {
  return matchesEventNarrow(parseEventNarrow(narrow), {
    type: message.channelId === null ? "private" : "stream",
    channelName: message.channelName,
    channelId: message.channelId ?? undefined,
    topic: message.topic,
    senderEmail: message.sender.email,
    senderId: message.senderId,
    flags,
  });
}
