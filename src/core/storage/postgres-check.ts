import {
  encodingQuery,
  openConnections,
  whyUnfit,
  whyUnreached,
} from "../../../db/postgres-client";

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
    const why = whyUnreached(error) ?? (error instanceof Error ? error.message : String(error));
    return `The database cannot be reached: ${why}`;
  } finally {
    await connections.end();
  }
}
