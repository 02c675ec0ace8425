import { createHash } from "node:crypto";
import { directTopic, recipientTypes } from "../import/reference/codes";
import type { ArchiveRow } from "./archive-file";
import type { Snapshot } from "./snapshot";

/**
 * Id of the recipient that stands for a channel. It is an even number; ids of conversations are
 * odd.
 */
export const channelRecipient = (channelId: number): number => 2 * channelId;
const conversationRecipient = (conversationId: number): number => 2 * conversationId + 1;

/** Direct conversations by their people. Scheduled messages may add new conversations. */
export class Conversations {
  private lastId = 0;

  private constructor(
    private readonly ids: Map<string, number>,
    private readonly people: Map<number, readonly number[]>,
  ) {
    for (const id of people.keys()) this.lastId = Math.max(this.lastId, id);
  }

  static async read({ reader }: Snapshot): Promise<Conversations> {
    const rows = await reader.db.select().from(reader.t.conversations);
    return new Conversations(
      new Map(rows.map(({ id, userIds }) => [userIds, id])),
      new Map(rows.map(({ id, userIds }) => [id, userIds.split(",").map(Number)])),
    );
  }

  /** The people of a conversation. */
  peopleOf = (id: number): readonly number[] => this.people.get(id) ?? [];

  /** The conversation of some people. */
  idOf(userIds: readonly number[]): number {
    const ids = [...new Set(userIds)].sort((a, b) => a - b);
    const existing = this.ids.get(ids.join(","));
    if (existing !== undefined) return existing;
    this.lastId += 1;
    this.ids.set(ids.join(","), this.lastId);
    this.people.set(this.lastId, ids);
    return this.lastId;
  }

  rows = (): ArchiveRow[] =>
    [...this.people].map(([id, people]) => ({
      id,
      huddle_hash: createHash("sha1").update(people.join(",")).digest("hex"),
      group_size: people.length,
      recipient: conversationRecipient(id),
    }));

  recipients = (): ArchiveRow[] =>
    [...this.people.keys()].map((id) => ({
      id: conversationRecipient(id),
      type: recipientTypes.group,
      type_id: id,
    }));

  /** Pairs of a recipient and a person in its conversation. */
  members = (): { recipient: number; user_profile: number }[] =>
    [...this.people].flatMap(([id, people]) =>
      people.map((user_profile) => ({ recipient: conversationRecipient(id), user_profile })),
    );
}

/** Recipient and topic of a message in an archive. */
export const placeOf = ({
  channelId,
  conversationId,
  topic,
}: {
  channelId: number | null;
  conversationId: number | null;
  topic: string;
}): { recipient: number; subject: string } =>
  channelId === null
    ? { recipient: conversationRecipient(conversationId ?? 0), subject: directTopic }
    : { recipient: channelRecipient(channelId), subject: topic };
