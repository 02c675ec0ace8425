import { loadChannelId } from "../../src/organization/lookup";
import { deleteTopic as deleteTopicVerb } from "../../src/topics/service";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { printResult } from "../output";

/** `chatd admin topic delete CHANNEL TOPIC`: deletes all messages of a topic, however many. */
export async function deleteTopic(channel: string, topic: string, options: RealmOptions) {
  await withOperator(options, async (ctx) => {
    const streamId = await loadChannelId(ctx, channel);
    while (!(await deleteTopicVerb(ctx, { streamId, topicName: topic })).complete);
  });
  printResult(options, { channel, topic }, [`Deleted the topic '${topic}' of the channel ${channel}.`]);
}
