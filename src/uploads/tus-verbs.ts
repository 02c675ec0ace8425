import { RawAnswer } from "../core/answer";
import type { Context, Person } from "../core/context";
import type { Connection } from "../core/endpoint";
import { type Input, record, text } from "../core/params";
import { bytesPerMib } from "./room";
import { whileUploading } from "./service";

export const BeginTus = record({});
export const GoOnTus = record({ uploadId: text() });

/** The protocol's server is loaded when somebody uploads so. */
const answerTus: typeof import("./tus")["answerTus"] = async (...asked) =>
  (await import("./tus")).answerTus(...asked);

/**
 * Begins an upload that may come in several requests. Event, if all of the file comes with it:
 * attachment add, to the uploader. Source: `docs/protocol/specification.md`, POST /user_uploads,
 * and the tus protocol 1.0.0.
 */
export const beginTus = (
  ctx: Context<Person>,
  _input: Input<typeof BeginTus>,
  connection: Connection,
): Promise<RawAnswer> =>
  whileUploading(ctx.app, ctx.actor.user.id, () => answerTus(ctx, connection));

/**
 * Goes on with an upload of the actor's: asks how much has arrived, sends more, or gives it up.
 * When all has arrived: event attachment add, to the uploader. An upload of somebody else is
 * answered like none (404).
 */
export const goOnTus = (
  ctx: Context<Person>,
  { uploadId }: Input<typeof GoOnTus>,
  connection: Connection,
): Promise<RawAnswer> =>
  whileUploading(ctx.app, ctx.actor.user.id, () => answerTus(ctx, connection, uploadId));

export const DescribeTus = record({});

/** Parts of the protocol that are spoken here. */
export async function describeTus({ app }: Context): Promise<RawAnswer> {
  return new RawAnswer(null, 204, {
    "tus-resumable": "1.0.0",
    "tus-version": "1.0.0",
    "tus-extension": "creation,creation-with-upload,expiration,termination",
    "tus-max-size": String(app.config.maxFileUploadSizeMib * bytesPerMib),
  });
}
