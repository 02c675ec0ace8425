import { join } from "node:path";
import type { Config } from "../config/config";
import type { Clock } from "../core/clock";
import { badRequest } from "../core/errors";
import type { Log } from "../core/log";
import { snakeCase } from "../core/text/snake-case";
import { openLocalFiles } from "./local";
import type { S3Place } from "./s3-requests";
import type { FileContent, FileDraft, FileStore } from "./store";
import { openTwoStores } from "./two-stores";

type Places = Pick<Config, "data" | "fileStore" | S3Key>;
type S3Key = "s3Endpoint" | "s3Bucket" | "s3Region" | "s3AccessKeyId" | "s3SecretAccessKey";

/**
 * The store of files that a configuration names: the data folder, an S3 store, or both, where
 * `file_store` chooses the one for new files.
 */
export function openFiles(
  config: Places,
  clock: Pick<Clock, "nowMilliseconds" | "after">,
  log: Log,
): FileStore {
  const { local, s3 } = openPlaces(config, clock, log);
  if (!s3) return local;
  return config.fileStore === "s3" ? openTwoStores(s3, local) : openTwoStores(local, s3);
}

/** Each store separately. */
export function openPlaces(
  config: Places,
  clock: Pick<Clock, "nowMilliseconds" | "after">,
  log: Log,
): { local: FileStore; s3: FileStore | undefined } {
  const local = openLocalFiles(join(config.data, "files"), clock);
  const place = s3PlaceOf(config);
  return {
    local,
    s3: place && openLater(async () => (await import("./s3")).openS3Files(place, clock, log)),
  };
}

/** The S3 store that a configuration names, if it names one. Refuses an incomplete one. */
export function s3PlaceOf({ fileStore, ...config }: Places): S3Place | undefined {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region: region } = config;
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (fileStore !== "s3" && bucket === undefined) return undefined;
  const place = { endpoint, bucket, region, accessKeyId, secretAccessKey };
  const names = { endpoint: 0, bucket: 0, region: 0, accessKeyId: 0, secretAccessKey: 0 };
  const missing = Object.keys(names).filter((name) => Reflect.get(place, name) === undefined);
  if (missing.length > 0 || !endpoint || !bucket || !region || !accessKeyId || !secretAccessKey) {
    const keys = missing.map((name) => `s3_${snakeCase(name)}`);
    throw badRequest(`Files are to be in an S3 store: the configuration lacks ${keys.join(", ")}.`);
  }
  return { endpoint, bucket, region, accessKeyId, secretAccessKey };
}

/** A store whose code is loaded on first use. */
function openLater(open: () => Promise<FileStore>): FileStore {
  let opened: Promise<FileStore> | undefined;
  const store = () => {
    opened ??= open();
    return opened;
  };
  return {
    begin: async (key): Promise<FileDraft> => (await store()).begin(key),
    resume: async (key): Promise<FileDraft> => (await store()).resume(key),
    discard: async (key) => (await store()).discard(key),
    find: async (key): Promise<FileContent | undefined> => (await store()).find(key),
    remove: async (key) => (await store()).remove(key),
    removeRealm: async (realmId) => (await store()).removeRealm(realmId),
    async *list() {
      yield* (await store()).list();
    },
    tidy: async () => (await store()).tidy(),
  };
}
