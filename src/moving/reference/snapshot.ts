import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { Context, RealmRow } from "../../core/context";
import type { Progress } from "../backup/progress";
import { type StagedRealm, stageArchive } from "../realm-archive/stage";
import { openStageEngine } from "../realm-archive/stage-engine";
import { writeRealmArchive } from "../realm-archive/write";

/** An organization as of one moment, copied to the disk of this machine without secrets. */
export interface Snapshot {
  /** Reads its rows; there are none of other organizations. */
  reader: Reader;
  realm: RealmRow;
  /** Path of a stored file by its name; undefined if it is missing. */
  file(name: string): string | undefined;
  /** Path of a file for temporary data. */
  spool: string;
}

interface Surroundings {
  /** Folder for a copy of a SQLite database while it is read. */
  scratchFolder: string;
  progress: Progress;
  /** Throws if the work should end. */
  check: () => void;
}

/**
 * Copies an organization, works with the copy, and deletes it afterwards. A copy is needed because
 * people write meanwhile, and an archive whose rows name missing rows cannot be imported. The copy
 * takes as much disk space in the data folder as the organization's files.
 */
export async function withSnapshot<Result>(
  { app, realm }: Context,
  surroundings: Surroundings,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const staged = await stageCopy({ app, realm }, surroundings);
  try {
    const { engine } = await openStageEngine(app, staged.folder);
    try {
      const { reader } = engine;
      const { realms } = reader.t;
      const [copied] = await reader.db.select().from(realms).where(eq(realms.id, realm.id));
      if (!copied) throw new Error("The copy of the organization is empty.");
      const spool = join(staged.folder, "spool");
      return await work({ reader, realm: copied, file: staged.file, spool });
    } finally {
      await engine.close();
    }
  } finally {
    await staged.discard();
  }
}

async function* readAll(reader: ReadableStreamDefaultReader<Uint8Array>) {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Writes an export and stages it at once. */
async function stageCopy(
  { app, realm }: Pick<Context, "app" | "realm">,
  { scratchFolder, progress, check }: Surroundings,
): Promise<StagedRealm> {
  const pipe = new TransformStream<Uint8Array, Uint8Array>();
  const out = pipe.writable.getWriter();
  const now = app.clock.now();
  const sink = (bytes: Uint8Array) => {
    check();
    // The bytes are copied, because the pipe may hold them longer than the caller leaves them
    // unchanged.
    return out.write(bytes.slice());
  };
  const { config, files } = app;
  const wanted = { type: "full_without_consent", withPasswords: false } as const;
  const writing = writeRealmArchive(
    { config, files, realm, sink, scratchFolder, now, progress: () => undefined },
    wanted,
  ).then(
    () => out.close(),
    async (error: unknown) => {
      await out.abort(error).catch(() => undefined);
      throw error;
    },
  );
  const leaveOut = () => undefined;
  const reader = pipe.readable.getReader();
  const staging = stageArchive(config.data, readAll(reader), { now, progress, leaveOut });
  // The pipe is cancelled, because otherwise the writer would wait for a reader that has failed.
  staging.catch((error: unknown) => reader.cancel(error).catch(() => undefined));
  const [written, staged] = await Promise.allSettled([writing, staging]);
  if (staged.status === "rejected") throw staged.reason;
  if (written.status === "fulfilled") return staged.value;
  await staged.value.discard();
  throw written.reason;
}
