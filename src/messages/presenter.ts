import { and, eq } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { wasSubscribed } from "../core/audience";
import type { LogEntry } from "../core/context";
import type { Presenter, QueueOptions, Recipient } from "../core/event-hub";
import { flagsOfMessages } from "./flags-state";
import { matchesEventNarrow, parseEventNarrow } from "./narrow";
import { completeMessages, filterReadable, findMessages, isAmong } from "./queries";
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
      const { queueId, localId } = live.local ?? {};
      const echoed = isOwn && queueId === recipient.queueId ? localId : undefined;
      return present(live, flagsWhenSent(live.message, entry.id, recipient), recipient, echoed);
    },
    async late(entries, recipient) {
      const realmId = entries[0]?.realmId ?? 0;
      const entryByMessage = new Map(entries.map((entry) => [messageIdOf(entry), entry]));
      const who = { realmId, userId: recipient.userId, role: recipient.role };
      const rows = await filterReadable(reader, who, await findMessages(reader, realmId, [...entryByMessage.keys()]));
      const flags = await flagsOfMessages(reader, who, rows);
      const own = rows.filter(({ senderId }) => senderId === recipient.userId).map(({ id }) => id);
      const localIds = await localIdsOf(reader, realmId, recipient, own);
      const realmHost = await hostOf(realmId);
      const texts = new Map<number, string>();
      for (const complete of await completeMessages(reader, realmId, rows)) {
        const entry = entryByMessage.get(complete.id);
        if (!entry) continue;
        const live = { message: { ...complete, reactions: [] }, realmHost, local: undefined, texts: new Map() };
        const text = present(live, flags.get(complete.id) ?? [], recipient, localIds.get(complete.id));
        if (text !== undefined) texts.set(entry.id, text);
      }
      return texts;
    },
  };
}

const messageIdOf = ({ event }: LogEntry): number =>
  typeof event["message_id"] === "number" ? event["message_id"] : 0;

/** What `flagsOfMessages` says of a message that was sent just now. */
function flagsWhenSent(
  { senderId, channelId, readBySender }: FullMessage,
  logId: number,
  recipient: Recipient,
): string[] {
  if (channelId !== null && !wasSubscribed(recipient, channelId, logId)) return ["read", "historical"];
  return senderId === recipient.userId && readBySender ? ["read"] : [];
}

/** The local ids under which a queue's client sent some messages, by message id. */
async function localIdsOf(reader: Reader, realmId: number, { userId, queueId }: Recipient, messageIds: number[]) {
  if (messageIds.length === 0) return new Map<number, string>();
  const { sentLocals } = reader.t;
  const rows = await reader.db
    .select({ messageId: sentLocals.messageId, localId: sentLocals.localId })
    .from(sentLocals)
    .where(
      and(
        eq(sentLocals.realmId, realmId),
        eq(sentLocals.queueId, queueId),
        eq(sentLocals.userId, userId),
        isAmong(reader, sentLocals.messageId, messageIds),
      ),
    );
  return new Map(rows.map(({ messageId, localId }) => [messageId, localId]));
}

/** `echoed`: the local id under which this very client sent it. */
function present(
  live: LiveMessage,
  flags: string[],
  { options }: Recipient,
  echoed: string | undefined,
): string | undefined {
  if (options.narrow.length > 0 && !matchesNarrow(live.message, flags, options)) return undefined;
  const key = variantOf(options);
  let text = live.texts.get(key);
  if (text === undefined) {
    const view = { ...options, realmHost: live.realmHost };
    text = `"type":"message","message":${JSON.stringify(messageWire(live.message, view))}`;
    live.texts.set(key, text);
  }
  const local = echoed === undefined ? "" : `,"local_message_id":${JSON.stringify(echoed)}`;
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
