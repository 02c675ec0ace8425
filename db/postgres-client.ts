import { drizzle } from "drizzle-orm/postgres-js";
import postgres, { type Options, type PostgresType, type Sql } from "postgres";
import type { Database } from "./reader";

/** What keeps the client quiet, its sessions in UTC and its plans prepared. */
const clientOptions = {
  onnotice: () => undefined,
  connection: { application_name: "chatd", TimeZone: "UTC" },
  max_lifetime: null,
};
const endSeconds = 5;
const replacedEndSeconds = 2;

/** A client, and drizzle on it. */
interface Client {
  client: Sql;
  db: Database;
}

/** Connections to PostgreSQL that survive their loss. */
export interface Connections {
  readonly client: Sql;
  readonly db: Database;
  end(): Promise<void>;
}

interface Wishes {
  /** Told of each connection that is closed, whoever closed it. */
  lost?(): void;
  /** What drizzle is to work on in place of the client itself. */
  wrap?(client: Sql): Sql;
}

/**
 * Opens connections when they are needed. Where one is lost the whole client is replaced: postgres.js 3.4.9 forgets in
 * `closed` that a write was waiting to be sent, so that a connection which it opens again by itself may never say a word.
 * What the old client had begun is settled within two seconds.
 */
export function openConnections(
  url: string,
  options: Options<Record<string, PostgresType>>,
  { lost = () => undefined, wrap = (client) => client }: Wishes = {},
): Connections {
  let isEnding = false;
  const open = (): Client => {
    const onclose = () => {
      lost();
      if (isEnding || current.client !== client) return;
      current = open();
      client.end({ timeout: replacedEndSeconds }).catch(() => undefined);
    };
    const client = postgres(url, { ...clientOptions, ...options, onclose });
    return { client, db: drizzle(wrap(client)) as unknown as Database };
  };
  let current = open();
  return {
    get client() {
      return current.client;
    },
    get db() {
      return current.db;
    },
    async end() {
      isEnding = true;
      await current.client.end({ timeout: endSeconds });
    },
  };
}
