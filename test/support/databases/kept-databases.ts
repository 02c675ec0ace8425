import postgres, { type Sql } from "postgres";
import { type LentSessions, lendSessions } from "./lent-sessions";
import { dropDatabase, freshDatabase } from "./postgres";
import { type Contents, type Marks, putBack, readContents, readMarks } from "./seeded-rows";

/*
 * Databases with the seed, which go from one world to the next with their sessions: to make one and
 * to connect to it takes PostgreSQL longer than most tests do.
 */

interface KeptDatabase {
  url: string;
  sql: Sql;
  sessions: LentSessions;
  contents: Contents;
  marks: Marks;
}

/** Rows and sequences of new copies of a seed, by the name of its database. */
const contentsOf = new Map<string, Contents>();

/** Number of databases that wait in a process for a world. */
const waitingMax = 3;
const waiting: KeptDatabase[] = [];

/** A database with the seed, which nobody else has. */
export interface Loan {
  url: string;
  /**
   * Says that more may change than rows, or that sessions are looked at: they end with their
   * clients from now on, and no other world gets the database.
   */
  spoil(): void;
  /** Gives it back after use. */
  giveBack(): Promise<void>;
}

export async function borrowDatabase(template: string): Promise<Loan> {
  const database = waiting.pop() ?? (await makeDatabase(template));
  const { url, sql, sessions, contents, marks } = database;
  let isSpoilt = false;
  const spoil = () => {
    isSpoilt = true;
    sessions.stop();
    sql.end().catch(() => undefined);
  };
  const keepOrDrop = async () => {
    const isWanted = !isSpoilt && waiting.length < waitingMax;
    const isBack = isWanted && (await sessions.areBack());
    const now = isBack ? await putBack(sql, contents, marks, sessions.count()) : undefined;
    if (now !== undefined) {
      waiting.push({ ...database, marks: now });
      return;
    }
    if (!isSpoilt) spoil();
    await dropDatabase(url);
  };
  // Tests may end a world twice, and by then its database is another one's.
  let given: Promise<void> | undefined;
  return {
    url,
    spoil() {
      if (given === undefined) spoil();
    },
    giveBack: () => (given ??= keepOrDrop()),
  };
}

async function makeDatabase(template: string): Promise<KeptDatabase> {
  const url = await freshDatabase(template);
  const sql = postgres(url, {
    max: 1,
    connection: { jit: "off" },
    onnotice: () => undefined,
  });
  const contents = contentsOf.get(template) ?? (await readContents(sql));
  contentsOf.set(template, contents);
  return { url, sql, sessions: lendSessions(url), contents, marks: await readMarks(sql, contents) };
}
