import { drizzle } from "drizzle-orm/postgres-js";
import postgres, { type Options, type PostgresType, type Sql } from "postgres";
import type { Database } from "./reader";

/**
 * How its sessions plan: an index leads to the rows of whatever may grow, and no statement takes so long that it would be
 * worth the time to compile it. A pooler between has to let these pass (README).
 */
const planning = { jit: "off", enable_seqscan: "off" };

/** What keeps the client quiet, its sessions in UTC and its plans prepared. */
const clientOptions = {
  onnotice: () => undefined,
  connection: { application_name: "chatd", TimeZone: "UTC", ...planning },
  max_lifetime: null,
  // No statement answers with an array.
  fetch_types: false,
};
const endSeconds = 5;
const replacedEndSeconds = 2;

/** Why a database cannot be reached, by the error of a connection to it; undefined where it is about something else. */
export function whyUnreached(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("syscall" in error) return error.message;
  if (!error.message.startsWith("unsupported startup parameter")) return undefined;
  const names = Object.keys(planning);
  const role = names.map((name) => `ALTER ROLE … SET ${name} = off`).join("; ");
  return (
    `a pooler between refused it (${error.message}). Add ${names.join(", ")} to ignore_startup_parameters of PgBouncer, ` +
    `and let the role do what they say: ${role}`
  );
}

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
