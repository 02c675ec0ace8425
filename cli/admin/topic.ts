import type { Context } from "../../src/core/context";
import { deleteTopic as deleteTopicVerb, requireTopic } from "../../src/messages/topics/service";
import { countTopic } from "../../src/moving/figures/consequences";
import { loadChannelId } from "../../src/moving/organization/lookup";
import { isAgreed } from "../consent";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { printNotice, printResult } from "../output";
import { withProgress } from "../progress";
import { undoAtSignal } from "../signals";

/**
 * `chatd admin topic delete CHANNEL TOPIC [--yes] [--dry-run]`: deletes all messages of a topic,
 * however many; refuses a missing topic.
 */
export async function deleteTopic(channel: string, topic: string, options: RealmOptions) {
  const isDone = await withOperator(options, async (ctx) => {
    const streamId = await loadChannelId(ctx, channel);
    await requireTopic(ctx, { streamId, topicName: topic });
    const figures = await countTopic(ctx, streamId, topic);
    const act = `delete the topic '${topic}' of the channel ${channel}`;
    const name = topic === "" ? channel : topic;
    if (!(await isAgreed(options, { act, name, figures }))) return false;
    await deleteAll(ctx, streamId, topic);
    return true;
  });
  if (!isDone) return;
  printResult(options, { channel, topic }, [
    `Deleted the topic '${topic}' of the channel ${channel}.`,
  ]);
}

/**
 * Messages are deleted in batches, newest first: a signal between two batches keeps the older
 * messages.
 */
async function deleteAll(ctx: Context, streamId: number, topic: string) {
  const end = undoAtSignal(() =>
    printNotice("Some messages may already be deleted. Run it again to delete the others."),
  );
  await withProgress(async (progress) => {
    let rounds = 0;
    while (!(await deleteTopicVerb(ctx, { streamId, topicName: topic })).complete)
      progress("Deleting", ++rounds);
  });
  end();
}
