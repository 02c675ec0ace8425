import { FileAnswer } from "../core/answer";
import type { Context } from "../core/context";
import { type Input, record } from "../core/params";
import { realmPicture } from "../realm/assets";

export const GetManifest = record({});

/**
 * Colours of the window before the page is drawn: the background and the sidebar of
 * `src/web/look/tokens.css`.
 */
const colours = { background_color: "#ffffff", theme_color: "#f7f6f4" };

/**
 * The organization as an app that a browser can install (W3C Web Application Manifest): its name
 * and its icon, which everybody sees on the login page too.
 */
export async function getManifest(
  { realm }: Context,
  _input: Input<typeof GetManifest>,
): Promise<FileAnswer> {
  const manifest = JSON.stringify({
    id: "/",
    name: realm.name,
    short_name: realm.name,
    start_url: "/",
    scope: "/",
    display: "standalone",
    ...colours,
    icons: [{ src: realmPicture(realm, "icon").url, sizes: "any", type: "image/png" }],
  });
  return new FileAnswer(new Blob([manifest]), {
    "content-type": "application/manifest+json",
    "cache-control": "no-cache",
    etag: `"${Bun.hash(manifest).toString(36)}"`,
  });
}
