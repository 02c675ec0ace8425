import { RawAnswer } from "../core/answer";
import type { Context, Person } from "../core/context";
import type { Connection } from "../core/endpoint";
import { type Input, record, text } from "../core/params";
import { bytesPerMib } from "./room";
import { whileUploading } from "./service";

export const BeginTus = record({});
export const GoOnTus = record({ uploadId: text() });

/** The tus server is loaded on first use. */
const answerTus: typeof import("./tus")["answerTus"] = async (...asked) =>
  (await import("./tus")).answerTus(...asked);

/**
 * Begins an upload in several requests. Event, if this request contains the whole file: attachment
 * add, to the uploader. Source: `docs/protocol/specification.md`, POST /user_uploads, and the tus
 * protocol 1.0.0.
 */
export const beginTus = (
  ctx: Context<Person>,
  _input: Input<typeof BeginTus>,
  connection: Connection,
): Promise<RawAnswer> =>
  whileUploading(ctx.app, ctx.actor.user.id, () => answerTus(ctx, connection));

/**
 * Continues an upload of the actor: asks for its offset, sends more bytes, or deletes it. Event,
 * with the last byte: attachment add, to the uploader. Refuses another person's upload as missing
 * (404).
 */
export const goOnTus = (
  ctx: Context<Person>,
  { uploadId }: Input<typeof GoOnTus>,
  connection: Connection,
): Promise<RawAnswer> =>
  whileUploading(ctx.app, ctx.actor.user.id, () => answerTus(ctx, connection, uploadId));

export const DescribeTus = record({});

/** The parts of the tus protocol that chatd supports. */
export async function describeTus({ app }: Context): Promise<RawAnswer> {
  return new RawAnswer(null, 204, {
    "tus-resumable": "1.0.0",
    "tus-version": "1.0.0",
    "tus-extension": "creation,creation-with-upload,expiration,termination",
    "tus-max-size": String(app.config.maxFileUploadSizeMib * bytesPerMib),
  });
}
