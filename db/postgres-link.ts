import postgres, { type Row, type Sql } from "postgres";
import { NewerSchemaError, ReplacedDataError } from "./migrate";
import {
  clientOptions,
  connectSecondsMax,
  endings,
  refusesEndings,
  wayTo,
} from "./postgres-client";
import { atWorkLock, migrationLock } from "./postgres-locks";
import { DatabaseAwayError } from "./trouble";

const pulseMilliseconds = 1_000;
/**
 * Number of unanswered pulses after which PostgreSQL counts as away. Pulses are counted instead of
 * timed, because a process that was suspended must first read the answers that have come meanwhile.
 */
const pulsesUnansweredMax = 4;

const lookAtMigration = `SELECT pg_try_advisory_xact_lock_shared(${migrationLock}) AS is_free`;

/** Waits for a migration that has not noticed this node yet. */
const awaitMigration = `SELECT pg_advisory_xact_lock_shared(${migrationLock})`;

/**
 * Reads the version of the schema and the object id of its table. After a restore the id is another
 * one, because a restore makes the tables again.
 */
const lookAtSchema =
  "SELECT max(version) AS version, 'chatd_schema'::regclass::oid::text AS id FROM chatd_schema";

interface LinkOptions {
  url: string;
  channel: string;
  /** Version of the schema that this node knows. */
  version: number;
  /** Called for each notification on the channel. */
  notified(payload: string): void;
  /**
   * Called once a second while PostgreSQL answers, and whenever notifications may have been missed.
   */
  catchUp(): void;
  /** Called once when PostgreSQL stops answering, with the reason. */
  away(why: string): void;
  /**
   * Called when the connection is lost. The function that it answers is called when the connection
   * was replaced, with whether PostgreSQL did not answer meanwhile.
   */
  lost(): (wasAway: boolean) => void;
  /**
   * Called when a newer version has migrated the data, or a restore has replaced it, while this
   * node was cut off.
   */
  outdated(error: NewerSchemaError | ReplacedDataError): void;
}

/**
 * A node's link to PostgreSQL: one connection, which receives notifications and shows the node
 * whether PostgreSQL answers.
 */
export interface Link {
  /** Startup parameters of the other connections. */
  readonly settings: Readonly<Record<string, string>>;
  readonly isAway: boolean;
  /** Throws while PostgreSQL does not answer. */
  require(): void;
  close(): Promise<void>;
}

/** A question on the link whose answer has not come yet: to connect and listen, or a pulse. */
interface Asked {
  client: Sql;
  pulsesSince: number;
}

class PulsingLink implements Link {
  settings: Record<string, string> = endings;
  private client: Sql | undefined;
  private asked: Asked | undefined;
  private reason: DatabaseAwayError | undefined;
  /** Object id of the schema's table when the node opened the database. */
  private schemaId: string | undefined;
  private isOpen = false;
  private isClosed = false;
  /** Called when the lost connection was replaced. */
  private back: ((wasAway: boolean) => void) | undefined;
  private timer: Timer | undefined;

  constructor(private readonly options: LinkOptions) {}

  /** Throws if PostgreSQL does not answer at the first attempt. */
  async open() {
    await this.connect().catch(async (error: unknown) => {
      if (!refusesEndings(error)) throw error;
      this.settings = {};
      await this.connect();
    });
    this.isOpen = true;
    this.timer = setInterval(() => this.beat(), pulseMilliseconds);
    this.timer.unref();
  }

  get isAway() {
    return this.reason !== undefined;
  }

  require() {
    if (this.reason) throw this.reason;
  }

  async close() {
    this.isClosed = true;
    clearInterval(this.timer);
    await this.client?.end({ timeout: this.isAway ? 0 : connectSecondsMax });
  }

  private async connect() {
    const { url, channel, notified } = this.options;
    // postgres.js accepts this option, but its types do not declare it.
    const hearing = { onnotify: (_channel: string, payload: string) => notified(payload) };
    const client: Sql = postgres(url, {
      ...clientOptions,
      ...wayTo(url),
      ...hearing,
      max: 1,
      connect_timeout: connectSecondsMax,
      connection: { ...clientOptions.connection, ...this.settings },
      onclose: () => this.lost(client),
    });
    this.client = client;
    const listen = `LISTEN "${channel}"; SELECT pg_advisory_lock_shared(${atWorkLock})`;
    // In one message, of which each statement sees what was committed before it.
    const lookOrWait = this.schemaId === undefined ? awaitMigration : lookAtMigration;
    const answers = await this.ask(client, [listen, lookOrWait, lookAtSchema].join("; "));
    try {
      this.requireOwnSchema(answers.flat());
    } catch (error) {
      this.giveUp(client);
      throw error;
    }
  }

  /**
   * Refuses data that a newer version is migrating or has migrated while this node was cut off, and
   * data that a restore is replacing or has replaced. Neither of them notices a node that is cut
   * off. A connected node holds a lock, by which they notice it.
   */
  private requireOwnSchema(rows: Row[]) {
    const isFirst = this.schemaId === undefined;
    const lock = rows.find((row) => "is_free" in row);
    const found = rows.find((row) => "version" in row);
    const [version, id] = [Number(found?.["version"] ?? 0), String(found?.["id"])];
    if (version > this.options.version) {
      const error = new NewerSchemaError(version, this.options.version);
      throw isFirst ? error : this.outdated(error);
    }
    this.schemaId ??= id;
    if (id !== this.schemaId) throw this.outdated(new ReplacedDataError());
    if (!isFirst && lock?.["is_free"] !== true)
      throw new Error("the data is being migrated or restored.");
  }

  private outdated(error: NewerSchemaError | ReplacedDataError): Error {
    this.options.outdated(error);
    return error;
  }

  /** Answers the rows of each statement, where `sql` has several. */
  private async ask(client: Sql, sql: string): Promise<Row[][]> {
    const asked: Asked = { client, pulsesSince: 0 };
    this.asked = asked;
    try {
      return await client.unsafe(sql);
    } catch (error) {
      this.giveUp(client);
      throw error;
    } finally {
      if (this.asked === asked) this.asked = undefined;
    }
  }

  private beat() {
    const { asked, client } = this;
    if (asked) {
      asked.pulsesSince += 1;
      if (asked.pulsesSince < pulsesUnansweredMax) return;
      this.giveUp(asked.client);
      this.goAway(`no answer for ${asked.pulsesSince} s`);
    } else if (client) {
      this.options.catchUp();
      this.ask(client, "SELECT 1").catch(() => undefined);
    } else this.reconnect();
  }

  /**
   * Replaces a lost connection at once, because a server that has ended one session may accept
   * another.
   */
  private lost(client: Sql) {
    if (this.client !== client) return;
    this.giveUp(client);
    this.reconnect();
  }

  private reconnect() {
    if (this.isClosed) return;
    this.connect().then(
      () => this.comeBack(),
      (error: unknown) => this.goAway(error instanceof Error ? error.message : String(error)),
    );
  }

  private comeBack() {
    const wasAway = this.isAway;
    this.reason = undefined;
    this.back?.(wasAway);
    this.back = undefined;
    this.options.catchUp();
  }

  private giveUp(client: Sql) {
    if (this.client === client) {
      this.client = undefined;
      if (this.isOpen && !this.isClosed) this.back ??= this.options.lost();
    }
    if (this.asked?.client === client) this.asked = undefined;
    client.end({ timeout: 0 }).catch(() => undefined);
  }

  private goAway(why: string) {
    if (this.isClosed || this.reason) return;
    this.reason = new DatabaseAwayError(why);
    this.options.away(why);
  }
}

/**
 * Connects and listens. Throws if PostgreSQL does not answer. If PostgreSQL stops answering later,
 * the link connects again by itself.
 */
export async function openLink(options: LinkOptions): Promise<Link> {
  const link = new PulsingLink(options);
  await link.open();
  return link;
}
