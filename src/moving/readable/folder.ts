import { existsSync } from "node:fs";
import { appendFile, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { badRequest } from "../../core/errors";
import { whyNotWritten } from "../../core/storage/file-failure";
import { draftOf, removeOldDrafts } from "../backup/output";
import { writeNewFile } from "../backup/stored-files";

const [privateFolder, privateFile] = [0o700, 0o600];

/**
 * A folder that only the system account of this process may read. It gets its name only when it is
 * complete.
 */
export class NewFolder {
  private constructor(
    private readonly path: string,
    private readonly draft: string,
  ) {}

  /**
   * Begins a folder. Refuses an existing name (BAD_REQUEST). Removes drafts of killed processes
   * beside it.
   */
  static async open(path: string): Promise<NewFolder> {
    if (existsSync(path)) throw badRequest(`${path} already exists. Choose another name.`);
    const draft = draftOf(path);
    await mkdir(draft, { mode: privateFolder }).catch((error: unknown) => {
      throw badRequest(whyNotWritten(path, error));
    });
    removeOldDrafts(draft);
    return new NewFolder(path, draft);
  }

  /** Adds text at the end of a file. Makes the file if it does not exist. */
  async append(name: string, text: string): Promise<void> {
    const path = join(this.draft, name);
    await mkdir(dirname(path), { recursive: true, mode: privateFolder });
    await appendFile(path, text, { mode: privateFile });
  }

  /** Adds a file. */
  add = (name: string, chunks: AsyncIterable<Uint8Array>): Promise<number> =>
    writeNewFile(join(this.draft, name), chunks);

  keep = (): Promise<void> => rename(this.draft, this.path);

  /** Deletes the draft, unless it was kept. */
  discard = (): Promise<void> => rm(this.draft, { recursive: true, force: true });
}
