import { asc } from "drizzle-orm";
import { linkedPaths } from "../../uploads/links";
import { toBeSent } from "../import/reference/codes";
import type { ArchiveRow } from "./archive-file";
import type { Clients } from "./clients";
import { numbered } from "./numbered";
import { type Conversations, channelRecipient, placeOf } from "./recipients";
import type { Snapshot } from "./snapshot";

/** The tables of objects that belong to single people. */
export async function ownTables(
  snapshot: Snapshot,
  now: number,
): Promise<Record<string, ArchiveRow[]>> {
  const { reader, realm } = snapshot;
  const { db, t } = reader;
  const words = await db.select().from(t.alertWords);
  const muted = await db.select().from(t.mutedUsers);
  const views = await db.select().from(t.navigationViews);
  const steps = await db.select().from(t.onboardingSteps);
  const snippets = await db.select().from(t.savedSnippets).orderBy(asc(t.savedSnippets.id));
  const topics = await db.select().from(t.userTopics);
  return {
    zerver_alertword: numbered(
      words.map(({ userId, word }) => ({ realm: realm.id, user_profile: userId, word })),
    ),
    zerver_muteduser: numbered(
      muted.map(({ userId, mutedUserId, mutedAt }) => ({
        user_profile: userId,
        muted_user: mutedUserId,
        date_muted: mutedAt,
      })),
    ),
    zerver_navigationview: numbered(
      views.map(({ userId, fragment, isPinned, name }) => ({
        user: userId,
        fragment,
        is_pinned: isPinned,
        name,
      })),
    ),
    zerver_onboardingstep: numbered(
      steps.map(({ userId, name }) => ({ user: userId, onboarding_step: name, timestamp: now })),
    ),
    zerver_savedsnippet: snippets.map(({ id, userId, title, content, createdAt }) => ({
      id,
      realm: realm.id,
      user_profile: userId,
      title,
      content,
      date_created: createdAt,
    })),
    zerver_usertopic: numbered(
      topics.map(({ userId, channelId, topic, visibilityPolicy, updatedAt }) => ({
        user_profile: userId,
        stream: channelId,
        recipient: channelRecipient(channelId),
        topic_name: topic,
        visibility_policy: visibilityPolicy,
        last_updated: updatedAt,
      })),
    ),
  };
}

/** The rows of scheduled messages. */
export async function scheduledMessages(
  { reader, realm }: Snapshot,
  conversations: Conversations,
  clients: Clients,
  now: number,
): Promise<ArchiveRow[]> {
  const { scheduledMessages: table } = reader.t;
  const rows = await reader.db.select().from(table).orderBy(asc(table.id));
  return rows.map((one) => {
    const people: number[] = one.userIds === null ? [] : JSON.parse(one.userIds);
    const conversationId =
      one.channelId === null ? conversations.idOf([one.userId, ...people]) : null;
    return {
      id: one.id,
      realm: realm.id,
      sender: one.userId,
      stream: one.channelId,
      ...placeOf({ channelId: one.channelId, conversationId, topic: one.topic }),
      content: one.content,
      rendered_content: one.renderedContent,
      sending_client: clients.idOf(one.client),
      scheduled_timestamp: one.deliverAt,
      request_timestamp: now,
      read_by_sender: one.readBySender,
      delivered: false,
      has_attachment: linkedPaths(one.renderedContent).length > 0,
      failed: one.hasFailed,
      failure_message: null,
      delivery_type: toBeSent,
      delivered_message: null,
    };
  });
}
