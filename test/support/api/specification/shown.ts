/** A test, and the rows of the specification that it shows. */
export interface Shown {
  /** Below `test/`: `people/users.test.ts`. */
  file: string;
  /**
   * The name as it is in the file; for a table of tests with its `%s`, because each of them shows a
   * part.
   */
  test: string;
  /** Names of rows, see `parseRows`. */
  rows: string[];
}

/** Several rows of a kind: `each("field: User object", "user_id email")`. */
export const each = (kind: string, names: string): string[] =>
  names.split(/\s+/).map((name) => `${kind} ${name}`);

/**
 * Rows that a test shows: `shows("people/users.test.ts", "reads", each("field: User object",
 * "role"), "endpoint: GET /users")`.
 */
export const shows = (file: string, test: string, ...rows: (string | string[])[]): Shown => ({
  file,
  test,
  rows: rows.flat(),
});
