import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { isIn } from "../../db/sql/json";
import type { LogEntry, RealmRow } from "../core/context";
import { messageIdOf, type Presenter, type QueueOptions, type Recipient } from "../core/event-hub";
import { wasSubscribed } from "../core/reading-right/audience";
import type { GuardedPerson, Viewer } from "../core/rights/person-visibility";
import { roles } from "../core/rights/role";
import { turn } from "../core/turns/turn";
import { shownPerson } from "../people/users/shown";
import { viewerFor } from "../people/users/viewer";
import { type HistoryPolicy, historyPolicyOf } from "../reading/edit-history";
import { flagsOfMessages } from "../reading/flags-of-messages";
import { filterReadable, type MessageReader } from "../reading/queries";
import type { MessageSize } from "../reading/sizes";
import { type ReadLimit, readFirstMessages, variantsFor } from "../reading/texts";
import { withWildcards } from "../reading/wildcard-flags";
import {
  type FullMessage,
  guardedPeople,
  type MessageView,
  messageWire,
  peopleIn,
} from "../reading/wire";
import { loadRealm } from "../realm/queries";
import type { TextEffects } from "./attention/text-flags";
import { matchesEventNarrow, type NarrowTerm, parseEventNarrow } from "./narrow/narrow";
import { pieceMax } from "./written-messages";

/** Data that a send leaves in memory for the delivery of its event. */
export interface LiveMessage {
  message: FullMessage;
  realmHost: string;
  /** Undefined just after sending, when there is no history. */
  editHistory?: HistoryPolicy;
  local: { queueId: string; localId: string } | undefined;
  /** The flags that its text sets, by user. */
  flags?: TextEffects["flags"];
  readBy?: ReadonlySet<number>;
  /** Recipients who do not see its sender. */
  strangers?: ReadonlySet<number> | undefined;
  /**
   * People in the message whose real addresses not everybody may read, so that there are more
   * variants.
   */
  guarded: GuardedPerson[];
  /** The message as JSON, by variant. */
  texts: Map<string, string>;
  sizeBytes?: number;
}

const isLiveMessage = (live: unknown): live is LiveMessage =>
  typeof live === "object" && live !== null && "texts" in live && "message" in live;

/**
 * Writes `message` events: the message as it is now, serialized once per variant, with the
 * recipient's own flags.
 */
export function messagePresenter(
  reader: Reader,
  realmOf: (realmId: number) => Promise<RealmRow>,
): Presenter {
  return {
    live(entry, recipient) {
      const { live } = entry;
      if (!isLiveMessage(live)) return undefined;
      const isOwn = live.message.senderId === recipient.userId;
      const { queueId, localId } = live.local ?? {};
      const echoed = isOwn && queueId === recipient.queueId ? localId : undefined;
      const { userId, role } = recipient;
      const viewer = { userId, role, seen: live.strangers?.has(userId) ? nobody : undefined };
      return present(live, flagsWhenSent(live, entry.id, recipient), recipient, viewer, echoed);
    },
    async late(entries, recipient, { sizeBytesMax, expect, beginLongWork }) {
      await beginLongWork?.();
      const texts = new Map<number, string>();
      const measured = new Map<number, MessageSize>();
      let sizeBytes = 0;
      for (let from = 0; from < entries.length; ) {
        const some = entries.slice(from, from + pieceMax.messages);
        const bytesLeft = sizeBytesMax - sizeBytes;
        const isFirst = from === 0;
        const limit = {
          countMin: isFirst || bytesLeft >= pieceMax.sizeBytes ? 1 : 0,
          sizeBytesMax: Math.min(bytesLeft, pieceMax.sizeBytes),
          sizeBytesOf: sizeIn(recipient.options),
          measured,
        };
        const piece = await latePiece(reader, realmOf, some, recipient, limit, (size) =>
          expect(sizeBytes + size),
        );
        if (piece.count === 0) return { texts, leftFrom: entries[from]?.id };
        for (const [id, text] of piece.texts) texts.set(id, text);
        sizeBytes += piece.sizeBytes;
        from += piece.count;
        if (from < entries.length) await turn();
      }
      return { texts, leftFrom: undefined };
    },
  };
}

/** Events of messages as they are now: of the first ones, up to a limit. */
async function latePiece(
  reader: Reader,
  realmOf: (realmId: number) => Promise<RealmRow>,
  entries: readonly LogEntry[],
  recipient: Recipient,
  limit: ReadLimit,
  expect: (sizeBytes: number) => void,
): Promise<{ texts: Map<number, string>; count: number; sizeBytes: number }> {
  const realmId = entries[0]?.realmId ?? 0;
  const entryByMessage = new Map(entries.map((entry) => [messageIdOf(entry), entry]));
  const who = { realmId, userId: recipient.userId, role: recipient.role };
  const { count, sizeBytes, ...first } = await readFirstMessages(
    reader,
    realmId,
    entries.map(messageIdOf),
    limit,
  );
  expect(sizeBytes);
  const messages = await filterReadable(
    reader,
    who,
    first.messages.map(({ message }) => message),
  );
  const flags = await flagsOfMessages(reader, who, messages);
  const ownIds = messages
    .filter(({ senderId }) => senderId === recipient.userId)
    .map(({ id }) => id);
  const localIds = await localIdsOf(reader, realmId, recipient, ownIds);
  const realm = await realmOf(realmId);
  const place = { realmHost: realm.host, editHistory: historyPolicyOf(realm) };
  const viewer = await lateViewer(reader, who, messages);
  const texts = new Map<number, string>();
  for (const [index, complete] of messages.entries()) {
    const entry = entryByMessage.get(complete.id);
    if (!entry) continue;
    const live = viewer.seen === undefined ? sharedLate(complete, place) : asSent(complete, place);
    const current = flags[index] ?? [];
    const shown = isForRecipient(complete, entry.id, recipient)
      ? current
      : current.filter(isOfTheirOwn);
    const text = present(live, shown, recipient, viewer, localIds.get(complete.id));
    if (text !== undefined) texts.set(entry.id, text);
  }
  return { texts, count, sizeBytes };
}

/** The part of a message that an event shows: one of its texts. */
const sizeIn =
  ({ applyMarkdown }: QueueOptions) =>
  ({ content, rendered, rest }: MessageSize) =>
    (applyMarkdown ? rendered : content) + rest;

const nobody: ReadonlySet<number> = new Set();

type Place = Required<Pick<LiveMessage, "realmHost" | "editHistory">>;

/** The present message, but with the reactions and submessages of the time when it was sent. */
function asSent(complete: FullMessage, place: Place): LiveMessage & Place {
  const message = { ...complete, reactions: [], submessages: complete.submessages.slice(0, 1) };
  return { message, ...place, local: undefined, texts: new Map(), guarded: guardedPeople(message) };
}

const lateMessages = new WeakMap<FullMessage, LiveMessage & Place>();

/**
 * Message in the form for everybody with an unlimited view: its texts are kept as long as the
 * message is cached.
 */
function sharedLate(complete: FullMessage, place: Place): LiveMessage {
  const shared = lateMessages.get(complete);
  if (shared && shared.realmHost === place.realmHost && shared.editHistory === place.editHistory)
    return shared;
  const message = asSent(complete, place);
  lateMessages.set(complete, message);
  return message;
}

/** Viewer for some messages, by the people that the recipient may see now. */
async function lateViewer(
  reader: Reader,
  { realmId, userId, role }: MessageReader,
  messages: FullMessage[],
) {
  if (role < roles.guest) return { userId, role, seen: undefined };
  return viewerFor(
    reader,
    await loadRealm(reader, realmId),
    { id: userId, role },
    peopleIn(messages),
  );
}

/**
 * Whether a message was delivered to the recipient, and not only to a client that asked for all
 * public channels.
 */
const isForRecipient = ({ sentChannelId }: FullMessage, logId: number, recipient: Recipient) =>
  sentChannelId === null || wasSubscribed(recipient, sentChannelId, logId);

/**
 * Whether a flag is shown on a message that was not delivered to the recipient. Such a message has
 * no read state in an event, only the recipient's own flags.
 */
const isOfTheirOwn = (flag: string) => flag !== "read" && flag !== "historical";

/** Flags of a message that was just sent, as `flagsOfMessages` gives them. */
function flagsWhenSent(
  { message, flags: ofText, readBy }: LiveMessage,
  logId: number,
  recipient: Recipient,
): string[] {
  const { userId } = recipient;
  const textFlags = ofText?.get(userId) ?? none;
  if (!isForRecipient(message, logId, recipient)) return [...textFlags];
  const isRead = readBy?.has(userId) || (message.senderId === userId && message.readBySender);
  return withWildcards(
    [...(isRead ? ["read"] : none), ...textFlags],
    message.mentionsAllOf !== null,
  );
}

const none: readonly string[] = [];

const selectLocals = statement(
  (
    db,
    { sentLocals: t },
    given: Given<{ realmId: number; queueId: string; userId: number; ids: string }>,
    dialect,
  ) =>
    db
      .select({ messageId: t.messageId, localId: t.localId })
      .from(t)
      .where(
        and(
          eq(t.realmId, given.realmId),
          eq(t.queueId, given.queueId),
          eq(t.userId, given.userId),
          isIn(dialect, t.messageId, given.ids),
        ),
      ),
);

/** The local ids by which a queue's client sent some messages, by message id. */
async function localIdsOf(
  reader: Reader,
  realmId: number,
  { userId, queueId }: Recipient,
  messageIds: number[],
) {
  if (messageIds.length === 0) return new Map<number, string>();
  const rows = await selectLocals(reader, {
    realmId,
    queueId,
    userId,
    ids: JSON.stringify(messageIds),
  });
  return new Map(rows.map(({ messageId, localId }) => [messageId, localId]));
}

/** `echoed`: the local id, if this client sent the message. */
function present(
  live: LiveMessage,
  flags: readonly string[],
  { options }: Recipient,
  viewer: Viewer,
  echoed: string | undefined,
): string | undefined {
  const viewOf = () => ({
    ...options,
    realmHost: live.realmHost,
    editHistory: live.editHistory ?? "none",
    viewer,
  });
  if (options.narrow.length > 0 && !matchesNarrow(live.message, flags, viewOf())) return undefined;
  const key = variantsFor(variantOf(options, viewer), viewer)(live.guarded);
  let text = live.texts.get(key);
  if (text === undefined) {
    text = `"type":"message","message":${JSON.stringify(messageWire(live.message, viewOf()))}`;
    live.texts.set(key, text);
  }
  const local = echoed === undefined ? "" : `,"local_message_id":${JSON.stringify(echoed)}`;
  return `${text},"flags":${flags.length === 0 ? "[]" : JSON.stringify(flags)}${local}`;
}

/**
 * Names of the forms of messages that queues want, for viewers who see everybody and for others.
 */
interface OptionNames {
  unlimited: string;
  limited: string;
}

const namesByOptions = new WeakMap<QueueOptions, OptionNames>();

/** Computed once for a queue. */
function variantOf(options: QueueOptions, { seen }: Viewer): string {
  let names = namesByOptions.get(options);
  if (names === undefined) {
    const { applyMarkdown, clientGravatar, emptyTopicName, isOfficialClient } = options;
    const unlimited = [applyMarkdown, clientGravatar, emptyTopicName, isOfficialClient]
      .map(Number)
      .join("");
    names = { unlimited, limited: `${unlimited}?` };
    namesByOptions.set(options, names);
  }
  return seen === undefined ? names.unlimited : names.limited;
}

const termsByNarrow = new WeakMap<readonly unknown[], readonly NarrowTerm[]>();

/** The terms of a queue's narrow, which is stored as its client sent it. They are parsed once. */
function termsOf({ narrow }: QueueOptions): readonly NarrowTerm[] {
  let terms = termsByNarrow.get(narrow);
  if (!terms) {
    terms = parseEventNarrow(narrow);
    termsByNarrow.set(narrow, terms);
  }
  return terms;
}

function matchesNarrow(
  message: FullMessage,
  flags: readonly string[],
  view: QueueOptions & MessageView,
): boolean {
  return matchesEventNarrow(termsOf(view), {
    type: message.channelId === null ? "private" : "stream",
    channelName: message.channelName,
    channelId: message.channelId ?? undefined,
    topic: message.topic,
    senderEmail: shownPerson(message.sender, view).email,
    senderId: message.senderId,
    flags,
  });
}
