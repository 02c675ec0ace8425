import { expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "../support/databases/postgres-server";
import { scratchFolder } from "../support/scratch-folder";

test("PostgreSQL starts without a UNIX socket where the path of one would be too long", async () => {
  const parent = join(scratchFolder(), "long-path-".repeat(10));
  mkdirSync(parent, { mode: 0o711, recursive: true });
  try {
    const server = await startPostgres({ parent });
    expect(server.socketFolder).toBeUndefined();
    await server.stop();
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});
