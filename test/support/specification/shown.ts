/** A test and what of the specification it shows. */
export interface Shown {
  /** Below `test/`: `people/users.test.ts`. */
  file: string;
  /**
   * As it stands in the file; of a table of tests the name with its `%s`, which each of them shows
   * its part of.
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
