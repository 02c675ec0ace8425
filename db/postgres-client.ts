import { drizzle } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import type { Database } from "./reader";
import { codeOf, isAway } from "./trouble";

/**
 * Settings for query plans. Sequential scans are avoided, because an index finds the rows of every
 * table that may grow. Statements are not compiled, because none takes long enough for that to pay.
 * A pooler between server and PostgreSQL has to pass these settings on (README).
 */
const planning = { jit: "off", enable_seqscan: "off" };

/**
 * Options of all clients: no messages on the terminal, sessions in UTC, and these settings for
 * query plans.
 */
export const clientOptions = {
  onnotice: () => undefined,
  connection: { application_name: "chatd", TimeZone: "UTC", ...planning },
  max_lifetime: null,
  // No statement answers an array, so the types of arrays are not fetched.
  fetch_types: false,
};

/** The addresses that postgres.js has found in a URL. */
interface Addresses {
  host: string[];
  port: number[];
}

/**
 * Functions that open a connection to a database, by its URL. Tests use them instead of a TCP
 * connection for each client.
 */
export const waysTo = new Map<string, (addresses: Addresses) => unknown>();

/** Option of postgres.js for such a function. Its types do not declare this option. */
export const wayTo = (url: string): object => ({ socket: waysTo.get(url) });

const endSeconds = 5;
/** Seconds after which a request for a connection fails. */
export const connectSecondsMax = 5;
const replacedEndSeconds = 2;

/**
 * Settings with which PostgreSQL itself ends a session, so that no session of a node that has died
 * stays. It ends a session whose client's machine is silent for 25 s, or accepts no data for 30 s,
 * and a transaction in which the client has sent nothing for a minute. Writes have a shorter limit
 * of their own (`postgres-transactions.ts`). Backups, restores and migrations use connections
 * without these settings.
 */
export const endings = {
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "30s",
  idle_in_transaction_session_timeout: "60s",
};

/**
 * Whether a pooler refused a session because of `endings`. Sessions through this pooler do without
 * these settings, because the pooler is then the client of PostgreSQL, and it keeps running when a
 * node dies.
 */
export const refusesEndings = (error: unknown) =>
  error instanceof Error &&
  Object.keys(endings).some((name) => error.message.startsWith(unsupported + name));
const unsupported = "unsupported startup parameter: ";

/** Advice for errors of a connection that PostgreSQL or the network refuses, by error code. */
const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there: is PostgreSQL running, and are host and port right?",
  ENOTFOUND: "its host is not known: is the name right?",
  EAI_AGAIN: "the name of its host cannot be looked up at the moment.",
  CONNECT_TIMEOUT:
    "it does not answer: is the network up, and does a firewall let PostgreSQL's port pass?",
  "28P01": "it refuses the password. Set the right one in `database`.",
  "28000": "it refuses this user from here: see pg_hba.conf.",
  "3D000": "there is no database of that name: make it with CREATE DATABASE.",
  "42501":
    "the user may not make tables there: make the database its own, or GRANT CREATE ON SCHEMA public.",
  "53300":
    "it takes no more connections: raise its max_connections, or lower database_connections_max.",
  "57P03": "it is starting up, or shutting down: try again when it is ready.",
  "25006": "it is a standby, or read-only: name the primary server in `database`.",
  "53100": "its disk is full: make room there.",
};

/**
 * Reason why a database cannot be reached or set up, with advice for the operator; undefined for
 * other errors.
 */
export function whyUnreached(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const words = advice[codeOf(error) ?? ""];
  if (words !== undefined) return `${words} (${error.message})`;
  if (isAway(error) || "syscall" in error) return error.message;
  if (!error.message.startsWith(unsupported)) return undefined;
  const names = Object.keys(planning);
  const role = names.map((name) => `ALTER ROLE … SET ${name} = off`).join("; ");
  return (
    `a pooler between refused it (${error.message}). Add ${names.join(", ")} to ignore_startup_parameters of PgBouncer, ` +
    `and let the role do what they say: ${role}`
  );
}

/** Asks for the encoding of a database, which `whyUnfit` judges. */
export const encodingQuery = "SHOW server_encoding";

/**
 * Reason why a database cannot hold all texts, with advice for the operator; undefined if it can.
 * An encoding other than UTF8 refuses messages with characters that it lacks.
 */
export function whyUnfit([row]: readonly Record<string, unknown>[]): string | undefined {
  const encoding = row?.["server_encoding"];
  if (encoding === "UTF8") return undefined;
  return (
    `its encoding is ${encoding}, which cannot hold the characters of all languages. Make another one: ` +
    "CREATE DATABASE chatd_utf8 ENCODING 'UTF8' TEMPLATE template0 LOCALE 'C.UTF-8'. Data that is in this one can be moved by a backup and a restore."
  );
}

/** A client of postgres.js, and drizzle on it. */
interface Client {
  client: Sql;
  db: Database;
}

/** Connections to PostgreSQL that are replaced when they are lost. */
export interface Connections {
  readonly client: Sql;
  readonly db: Database;
  /** Closes every connection at once, even if it does not answer; waiting statements fail. */
  drop(): void;
  end(): Promise<void>;
}

interface Sizes {
  max: number;
  idle_timeout?: number;
  connect_timeout?: number;
}

interface Wishes {
  /** Startup parameters in addition to those of all connections. */
  settings?: Readonly<Record<string, string>>;
  /** Called for each connection that is closed or given up, for whatever reason. */
  lost?(): void;
  /** Wraps the client for drizzle. */
  wrap?(client: Sql): Sql;
}

/**
 * Opens connections on demand. When a connection is lost, the whole client is replaced, because
 * postgres.js 3.4.9 forgets in `closed` that a write was waiting to be sent, so that a connection
 * which it reopens may never send anything. Work that the old client has begun is settled within
 * two seconds.
 */
export function openConnections(
  url: string,
  sizes: Sizes,
  { lost = () => undefined, wrap = (client) => client, settings = {} }: Wishes = {},
): Connections {
  const connection = { ...clientOptions.connection, ...settings };
  let isEnding = false;
  const open = (): Client => {
    const onclose = () => {
      if (current.client !== client) return;
      lost();
      if (isEnding) return;
      current = open();
      client.end({ timeout: replacedEndSeconds }).catch(() => undefined);
    };
    const client = sendingAtOnce(
      postgres(url, {
        ...clientOptions,
        ...wayTo(url),
        connect_timeout: connectSecondsMax,
        ...sizes,
        connection,
        onclose,
      }),
    );
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
    drop() {
      const { client } = current;
      lost();
      current = open();
      client.end({ timeout: 0 }).catch(() => undefined);
    },
    async end() {
      isEnding = true;
      await current.client.end({ timeout: endSeconds });
    },
  };
}

/**
 * Makes a client send each statement together with its values. postgres.js 3.4.9 first asks for the
 * types of the values, in a round trip of its own, unless the connection has the statement
 * prepared. chatd needs no types: its values are numbers, texts, booleans and bytes, and never
 * arrays or dates. postgres.js names the types of booleans and bytes, and PostgreSQL infers the
 * others.
 *
 * While a statement runs that its connection has not prepared, the connection takes no others.
 * These could wait there behind a long one while another connection is free, and equal ones would
 * be prepared more than once. A statement that is run without `prepare` is never prepared.
 */
function sendingAtOnce(client: Sql): Sql {
  const { unsafe } = client;
  return Object.assign(client, {
    unsafe(...[text, values = [], options]: Parameters<Sql["unsafe"]>) {
      const takesMore = () => values.length === 0 || Reflect.get(query, "prepared") === true;
      const query = unsafe(text, values, Object.assign({ onexecute: takesMore }, options));
      return Object.defineProperty(query, "describeFirst", {
        get: () => false,
        set: () => undefined,
      });
    },
  });
}
