import { makeSchema } from "./index";

const schema = makeSchema("postgres");
export const {
  serverFacts,
  realms,
  users,
  apiKeys,
  userGroups,
  userGroupMembers,
  userGroupSubgroups,
  channels,
  subscriptions,
  subscriptionPeriods,
  messages,
  conversations,
  conversationMembers,
  readWatermarks,
  readBlocks,
  messageFlags,
  reactions,
  eventLog,
  eventQueues,
  sentLocals,
} = schema;
