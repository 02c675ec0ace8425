import { readdirSync } from "node:fs";
import { join } from "node:path";
import { FileAnswer } from "../core/answer";
import { assetPath } from "../core/assets";
import { type Encoding, encodingFor, encodingHeader } from "../core/content-encoding";
import type { Context } from "../core/context";
import type { Connection } from "../core/endpoint";
import { notFound } from "../core/errors";
import { once } from "../core/once";
import { type Input, record, text } from "../core/params";
import { type Bundle, buildIdOf, endings } from "./forms";

const embedded = once(readEmbedded);

/** Bundles made in development, newest first. */
let recent: readonly Bundle[] = [];

/** The previous bundle is kept, because an open page continues to load parts of its own bundle. */
const recentMax = 2;

/**
 * The web client for a new page. An executable contains it. In development it is bundled when a
 * source has changed, so that a reload of the page shows the change.
 */
export async function currentBundle(): Promise<Bundle> {
  if (Bun.isStandaloneExecutable) return embedded();
  const { bundleInDevelopment } = await import("./bundle");
  const bundle = await bundleInDevelopment();
  if (bundle !== recent[0]) recent = [bundle, ...recent].slice(0, recentMax);
  return bundle;
}

const embeddedFolder = () => assetPath("dist", "web");

const embeddedNames = () =>
  readdirSync(embeddedFolder()).filter((name) => !/\.(br|gz)$/.test(name));

const embeddedBuildId = once(() => buildIdOf(embeddedNames()));

/** The id of the web client for a new page. Undefined in development before a page was opened. */
export function currentBuildId(): string | undefined {
  if (Bun.isStandaloneExecutable) return embeddedBuildId();
  const [newest] = recent;
  return newest && buildIdOf(newest.keys());
}

function readEmbedded(): Bundle {
  const folder = embeddedFolder();
  const form = (name: string, encoding: Encoding) =>
    Bun.file(join(folder, name + endings[encoding]));
  return new Map(
    embeddedNames().map((name) => [
      name,
      { br: form(name, "br"), gzip: form(name, "gzip"), identity: form(name, "identity") },
    ]),
  );
}

/** The web client of pages that are open; in development, the client of the newest page. */
export const servedBundle = async (): Promise<Bundle> => recent[0] ?? (await currentBundle());

async function findForms(name: string) {
  const bundles =
    Bun.isStandaloneExecutable || recent.length === 0 ? [await currentBundle()] : recent;
  return bundles.find((bundle) => bundle.has(name))?.get(name);
}

const yearSeconds = 31_536_000;

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  map: "application/json",
};

export const GetWebFile = record({ name: text() });

/**
 * A file of the web client, in the smallest form that the browser accepts. Its name changes with
 * its content, so that a browser keeps it without asking again. Refuses a name that this version of
 * the client does not have (404).
 */
export async function getWebFile(
  _ctx: Context,
  { name }: Input<typeof GetWebFile>,
  { header }: Pick<Connection, "header">,
): Promise<FileAnswer> {
  const forms = await findForms(name);
  if (!forms) throw notFound("The web client has no such file: reload the page.");
  const encoding = encodingFor(header("accept-encoding"));
  return new FileAnswer(forms[encoding], {
    "content-type": contentTypes[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    "cache-control": `public, max-age=${yearSeconds}, immutable`,
    vary: "Accept-Encoding",
    etag: `"${name}${endings[encoding]}"`,
    ...encodingHeader(encoding),
  });
}
