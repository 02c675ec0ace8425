import { Database } from "bun:sqlite";
import postgres from "postgres";
import { until } from "./polls";
import type { World } from "./world";

/** Tables that grow with what people write and read. */
const growing = [
  "messages",
  "event_log",
  "message_words",
  "message_flags",
  "read_blocks",
  "read_watermarks",
];

/** Measures the work of a database. */
export interface WorkCounter {
  /**
   * On PostgreSQL the rows and entries of indexes that are read for it, on SQLite the characters
   * that it answers with.
   */
  workFor(run: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/** Counts the work of all of a world's servers; to be made before the world on SQLite. */
export function countWork(): { of(world: World): Promise<WorkCounter> } {
  const answered = countAnswers();
  return {
    of: (world) =>
      world.place.databaseUrl === undefined ? sqliteCounter(answered) : postgresCounter(world),
  };
}

interface Answers {
  characters: number;
  restore(): void;
}

/** Counts what the statements of all SQLite connections answer that are prepared from now on. */
function countAnswers(): Answers {
  const { prepare } = Database.prototype;
  const answers: Answers = {
    characters: 0,
    restore() {
      Database.prototype.prepare = prepare;
    },
  };
  const note = <Answer>(answer: Answer): Answer => {
    answers.characters += JSON.stringify(answer)?.length ?? 0;
    return answer;
  };
  Database.prototype.prepare = function counting(
    this: Database,
    ...given: Parameters<typeof prepare>
  ) {
    const statement = prepare.apply(this, given);
    for (const name of ["values", "all", "get"] as const) {
      const ask = statement[name].bind(statement) as (...values: unknown[]) => unknown;
      Object.defineProperty(statement, name, {
        value: (...values: unknown[]) => note(ask(...values)),
      });
    }
    return statement;
  } as typeof prepare;
  return answers;
}

async function sqliteCounter(answers: Answers): Promise<WorkCounter> {
  return {
    async workFor(run) {
      // Once before: what is held in memory then is the work of the first who asks.
      await run();
      const before = answers.characters;
      await run();
      return answers.characters - before;
    },
    async close() {
      answers.restore();
    },
  };
}

/** Connections report their reads when they end, so the server restarts before and after. */
async function postgresCounter(world: World): Promise<WorkCounter> {
  const sql = postgres(world.place.databaseUrl ?? "", { max: 1, onnotice: () => undefined });
  const others = async (): Promise<number[]> => {
    const rows =
      await sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    return rows.map(({ pid }) => pid);
  };
  async function readSoFar(): Promise<number> {
    const before = await others();
    await world.restart();
    await until(async () => !(await others()).some((pid) => before.includes(pid)));
    const [row] = await sql`
      SELECT (SELECT sum(seq_tup_read)::int FROM pg_stat_user_tables WHERE relname IN ${sql(growing)})
        + (SELECT sum(idx_tup_read)::int FROM pg_stat_user_indexes WHERE relname IN ${sql(growing)}) AS count`;
    return row?.["count"] ?? 0;
  }
  let before = await readSoFar();
  return {
    async workFor(run) {
      await run();
      const after = await readSoFar();
      const work = after - before;
      before = after;
      return work;
    },
    close: () => sql.end(),
  };
}
