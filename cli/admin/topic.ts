import { deleteTopic as deleteTopicVerb, requireTopic } from "../../src/messages/topics/service";
import { loadChannelId } from "../../src/moving/organization/lookup";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { printResult } from "../output";
import { withProgress } from "../progress";

/**
 * `chatd admin topic delete CHANNEL TOPIC`: deletes all messages of a topic, however many; refuses
 * one that is not there.
 */
export async function deleteTopic(channel: string, topic: string, options: RealmOptions) {
  await withOperator(options, async (ctx) => {
    const streamId = await loadChannelId(ctx, channel);
    await requireTopic(ctx, { streamId, topicName: topic });
    await withProgress(async (progress) => {
      let rounds = 0;
      while (!(await deleteTopicVerb(ctx, { streamId, topicName: topic })).complete)
        progress("Deleting", ++rounds);
    });
  });
  printResult(options, { channel, topic }, [
    `Deleted the topic '${topic}' of the channel ${channel}.`,
  ]);
}
