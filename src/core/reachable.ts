import { encodingQuery, openConnections, whyUnfit, whyUnreached } from "../../db/postgres-client";

const patienceSeconds = 5;

/**
 * Why a PostgreSQL cannot be reached, or cannot hold all texts, in a sentence without its address;
 * undefined if it can be used. Changes nothing there.
 */
export async function whyUnreachable(databaseUrl: string): Promise<string | undefined> {
  const connections = openConnections(databaseUrl, { max: 1, connect_timeout: patienceSeconds });
  try {
    return whyUnfit(await connections.client.unsafe(encodingQuery));
  } catch (error) {
    return whyUnreached(error) ?? (error instanceof Error ? error.message : String(error));
  } finally {
    await connections.end();
  }
}
