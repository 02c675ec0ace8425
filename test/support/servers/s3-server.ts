import { join } from "node:path";
import { spawn } from "bun";
import { prepareS3Server } from "../../clients/setup";

/** Where a store is, as `S3Place` has it. */
interface Place {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Server extends Place {
  /** The configuration by which a server uses it. */
  flags: Record<string, string>;
  /** Looks into the bucket past the server. */
  client: Bun.S3Client;
  keys(): Promise<string[]>;
  /** Ends it at once: who asks it from then on gets no answer. */
  stop(): Promise<void>;
}

/**
 * Starts a real S3 server with an empty bucket on the loopback. It checks signatures, and ends with
 * the test.
 */
export async function startS3Server(): Promise<S3Server> {
  const command = [prepareS3Server(), join(import.meta.dir, "../../clients/s3/server.py")];
  const server = spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  const reader = server.stdout.getReader();
  let line = "";
  while (!line.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) throw new Error("the S3 server did not start");
    line += new TextDecoder().decode(value);
  }
  const place: Place = JSON.parse(line);
  const client = new Bun.S3Client(place);
  return {
    ...place,
    client,
    flags: {
      file_store: "s3",
      s3_endpoint: place.endpoint,
      s3_bucket: place.bucket,
      s3_region: place.region,
      s3_access_key_id: place.accessKeyId,
      s3_secret_access_key: place.secretAccessKey,
    },
    keys: async () => ((await client.list({})).contents ?? []).map(({ key }) => key),
    async stop() {
      server.stdin.end();
      await server.exited;
    },
  };
}
