import { Page } from "../core/answer";
import { encodingForOwnPage, encodingHeader, variesForOwnPage } from "../core/content-encoding";
import type { Context, Person } from "../core/context";
import type { Connection } from "../core/endpoint";
import { type Input, record } from "../core/params";
import { html } from "../core/text/html";
import { chunksOf } from "../core/text/text-chunks";
import { parseUserSettings } from "../people/settings/user-settings";
import { themes } from "../protocol/themes";
import { ownSession } from "../sign-in/browser";
import { maskToken } from "../sign-in/csrf-token";
import { firstFile, pagePolicy, wholePage } from "../web/model/whole-page";
import { currentBundle } from "./files";
import { type Bundle, buildIdOf, publicPath } from "./forms";
import { snapshotFor } from "./snapshot";

const headers = [["content-security-policy", pagePolicy]] as const;

export const OpenWebPage = record({});

/**
 * The web client's page, which contains its initial state and has an open event queue. Refuses
 * callers that sign with an API key (BAD_REQUEST). Browsers without a session are redirected to the
 * login page and back; the fragment is kept on the way.
 */
export async function openWebPage(
  ctx: Context<Person>,
  _input: Input<typeof OpenWebPage>,
  connection: Pick<Connection, "method" | "header" | "address" | "expect">,
): Promise<Page> {
  const session = await ownSession(ctx, connection);
  // The answer to HEAD has no body: nobody would read the queue.
  if (connection.method === "HEAD") return new Page(html``, 200, headers);
  const [bundle, snapshot] = await Promise.all([currentBundle(), snapshotFor(ctx, connection)]);
  const { color_scheme, default_language } = parseUserSettings(session.user.settings);
  const pieces = wholePage({
    script: addressOf(bundle, "js"),
    style: addressOf(bundle, "css"),
    words: wordsOf(bundle, default_language),
    build: buildIdOf(bundle.keys()),
    snapshot,
    userId: session.user.id,
    csrfToken: maskToken(session.csrfToken),
    title: ctx.realm.name,
    theme: themes[color_scheme],
  });
  return compressed(pieces, connection.header);
}

/** The address of the first file of a kind that a page loads. */
function addressOf(bundle: Bundle, ending: "js" | "css"): string {
  const name = firstFile(bundle.keys(), ending);
  if (name === undefined) throw new Error(`The web client has no main.${ending}.`);
  return publicPath + name;
}

/** The address of the file with the texts of a language; undefined if there is none. */
export function wordsOf(bundle: Bundle, language: string): string | undefined {
  const form = /^words-(.+)-\w+\.js$/;
  const name = [...bundle.keys()].find((one) => form.exec(one)?.[1] === language);
  return name === undefined ? undefined : publicPath + name;
}

/** Length in UTF-16 units from which a page is compressed outside the event loop. */
const longUnits = 1_048_576;

async function compressed(pieces: readonly string[], header: Connection["header"]): Promise<Page> {
  const { compress, compressPieces } = await import("../core/compress");
  const encoding = encodingForOwnPage(header);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const bytes =
    encoding === "identity" || length < longUnits
      ? compress(Buffer.from(pieces.join("")), encoding, "fast")
      : await compressPieces(chunksOf(pieces), encoding);
  const more = Object.entries({ vary: variesForOwnPage, ...encodingHeader(encoding) });
  return new Page(new Blob([bytes]), 200, [...headers, ...more], length);
}
