import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";

/**
 * Begins a world before each test of a file, and ends it after the test. Answers a function that
 * gives the tests of a group one world instead, because a world takes longer than most tests. None
 * of these tests may see what another one does.
 */
export function worldPerTest(begin: () => Promise<unknown>, end: () => Promise<unknown>) {
  let isShared = false;
  beforeEach(async () => {
    if (!isShared) await begin();
  });
  afterEach(async () => {
    if (!isShared) await end();
  });
  return () => {
    beforeAll(async () => {
      await begin();
      isShared = true;
    });
    afterAll(async () => {
      isShared = false;
      await end();
    });
  };
}
