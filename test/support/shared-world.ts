import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { failOnMismatches } from "./api/api-check";
import { makeWorld, type World } from "./world";

type Flags = Record<string, string>;

/**
 * Gives the tests of a file one world, because to make one takes longer than many tests do. A test
 * sees there what earlier ones have left, so it looks only at what it has made itself. A test that
 * changes what others look at, or that needs an empty world, calls the function that this answers:
 * from then on until its end, it has a world of its own.
 */
export function shareWorld(
  give: (world: World) => void,
  flags: Flags = {},
): (flagsOfOwn?: Flags) => Promise<World> {
  let shared: World | undefined;
  let own: World | undefined;
  beforeAll(async () => {
    shared = await makeWorld(flags);
    give(shared);
  });
  beforeEach(() => {
    if (shared !== undefined) give(shared);
  });
  afterEach(async () => {
    const used = own;
    own = undefined;
    if (used === undefined) failOnMismatches();
    else await used.close();
  });
  afterAll(() => shared?.close());
  return async (flagsOfOwn = flags) => {
    own = await makeWorld(flagsOfOwn);
    give(own);
    return own;
  };
}

/**
 * Begins a world before each test of a file, and ends it after the test. Answers a function that
 * gives the tests of a group one world instead, because a world takes longer than most tests. It is
 * only for groups in which no test sees what another one has done.
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
