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
  seeded: Seeded;
  marks: Marks;
}

/** Rows of a new copy of the seed, and its marks. */
interface Seeded {
  contents: Contents;
  marks: Marks;
}

const seededBy = new Map<string, Seeded>();

/** Number of databases that wait in a process for a world. */
const waitingMax = 3;
const waiting: KeptDatabase[] = [];

/** A database with the seed, which nobody else has. */
export interface Loan {
  url: string;
  /**
   * Says that more may change than rows, or that sessions are looked at: they end with their clients
   * from now on, and no other world gets the database.
   */
  spoil(): void;
  /** Gives it back after use. */
  giveBack(): Promise<void>;
}

export async function borrowDatabase(template: string): Promise<Loan> {
  const database = waiting.pop() ?? (await makeDatabase(template));
  const { url, sql, sessions, seeded, marks } = database;
  let isSpoilt = false;
  const spoil = () => {
    isSpoilt = true;
    sessions.stop();
    sql.end().catch(() => undefined);
  };
  const keepOrDrop = async () => {
    const isWanted = !isSpoilt && waiting.length < waitingMax;
    const isBack = isWanted && (await sessions.areBack());
    const now = isBack ? await putBack(sql, seeded.contents, marks) : undefined;
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
  const seeded = seededBy.get(template) ?? (await readSeeded(sql));
  seededBy.set(template, seeded);
  return { url, sql, sessions: lendSessions(url), seeded, marks: seeded.marks };
}

async function readSeeded(sql: Sql): Promise<Seeded> {
  const contents = await readContents(sql);
  return { contents, marks: await readMarks(sql, contents) };
}
