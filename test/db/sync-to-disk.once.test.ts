import { expect, test } from "bun:test";
import { join } from "node:path";
import { syncFolder, syncFolderMeanwhile, syncToDisk } from "../../db/sync-to-disk";
import { errorOf } from "../support/outcome";
import { scratchFolder } from "../support/scratch-folder";

/** A folder of Linux that cannot be synced: its system answers EINVAL, as network ones may do. */
const unsyncable = "/proc/self";

const ways = [
  ["at once", async (path: string) => syncFolder(path)],
  ["while other work goes on", syncFolderMeanwhile],
] as const;

test.skipIf(process.platform !== "linux").each(ways)(
  "a folder that its file system cannot sync counts as synced, %s",
  async (_, sync) => {
    expect(() => syncToDisk(unsyncable)).toThrow("EINVAL");
    await sync(unsyncable);
    await sync(scratchFolder());
    const missing = join(scratchFolder(), "missing");
    expect(await errorOf(sync(missing))).toMatchObject({ code: "ENOENT" });
  },
);
