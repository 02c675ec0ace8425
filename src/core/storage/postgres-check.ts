import {
  encodingQuery,
  openConnections,
  whyUnfit,
  whyUnreached,
} from "../../../db/postgres-client";
import { messageOf } from "../error-code";

const patienceSeconds = 5;

/**
 * Sentence on why a PostgreSQL cannot be reached, or cannot hold all texts, without its address;
 * undefined if it can be used. Changes nothing there.
 */
export async function whyUnusable(databaseUrl: string): Promise<string | undefined> {
  const connections = openConnections(databaseUrl, { max: 1, connect_timeout: patienceSeconds });
  try {
    const why = whyUnfit(await connections.client.unsafe(encodingQuery));
    return why === undefined ? undefined : `The database cannot be used: ${why}`;
  } catch (error) {
    const why = whyUnreached(error) ?? messageOf(error);
    return `The database cannot be reached: ${why}`;
  } finally {
    await connections.end();
  }
}
