import { alertWordTables } from "./alert-words";
import { authTables } from "./auth";
import { channelTables } from "./channels";
import { columnsOf, type Dialect } from "./columns";
import { eventTables } from "./events";
import { flagTables } from "./flags";
import { messageTables } from "./messages";
import { reactionTables } from "./reactions";
import { realmTables } from "./realm";
import { serverTables } from "./server";
import { subscriptionTables } from "./subscriptions";
import { uploadTables } from "./uploads";
import { userGroupTables } from "./user-groups";
import { userTopicTables } from "./user-topics";
import { userTables } from "./users";

/** All tables, built for one engine. */
export function makeSchema(dialect: Dialect) {
  const columns = columnsOf(dialect);
  return {
    ...serverTables(columns),
    ...realmTables(columns),
    ...userTables(columns),
    ...userGroupTables(columns),
    ...channelTables(columns),
    ...subscriptionTables(columns),
    ...messageTables(columns),
    ...flagTables(columns),
    ...reactionTables(columns),
    ...eventTables(columns),
    ...uploadTables(columns),
    ...authTables(columns),
    ...userTopicTables(columns),
    ...alertWordTables(columns),
  };
}

export type Schema = ReturnType<typeof makeSchema>;
export type { Dialect } from "./columns";
