import type { Calls } from "./call";
import { channelCalls } from "./channel-calls";
import { fileCalls } from "./file-calls";
import { groupCalls } from "./group-calls";
import { doorCalls, messageCalls, topicCalls } from "./message-calls";
import { peopleCalls, realmCalls } from "./people-calls";

/** A call for every endpoint of the server: what roles.test.ts tries as everybody, and verify.test.ts as somebody who may. */
export const calls: Calls = {
  ...doorCalls,
  ...messageCalls,
  ...topicCalls,
  ...channelCalls,
  ...groupCalls,
  ...peopleCalls,
  ...realmCalls,
  ...fileCalls,
};
