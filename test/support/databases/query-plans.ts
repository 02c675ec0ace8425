import { Database } from "bun:sqlite";
import { afterAll, spyOn } from "bun:test";
import { databaseFile } from "../../../db/open";
import type { World } from "../world";

interface Prepared {
  /** Statements that SQLite has prepared since the last `forget`. */
  texts(): string[];
  forget(): void;
  /** The steps of SQLite's plan for a statement: `SEARCH users USING INDEX …`. */
  stepsOf(world: World, text: string): string[];
}

/** Notes the statements that SQLite prepares, until the end of the test file. */
export function notePrepared(): Prepared {
  const prepare = spyOn(Database.prototype, "prepare");
  afterAll(() => prepare.mockRestore());
  return {
    texts: () => prepare.mock.calls.map(([text]) => text),
    forget: () => prepare.mockClear(),
    stepsOf({ place }, text) {
      const file = new Database(databaseFile(place.dataFolder));
      try {
        const rows = file.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all();
        return rows.map(({ detail }) => detail);
      } finally {
        file.close();
      }
    },
  };
}
