/**
 * Path in the folder of an uploaded file that a message links to; undefined for an invalid address.
 */
export function pathInFolder(uploadPath: string): string | undefined {
  const [, realm = "", token = "", name = ""] =
    /^(\d+)\/([A-Za-z0-9_-]+)\/([^/\\\0]+)$/.exec(uploadPath) ?? [];
  return name === "" || name === "." || name === ".."
    ? undefined
    : `files/${realm}/${token}/${name}`;
}

/** Path in the folder of an emoji's picture. */
export const emojiInFolder = (fileName: string): string => `emoji/${fileName}`;

const attribute = /(\s(?:href|src|data-original-src|poster)=")(\/[^"]*)(")/g;

/**
 * The HTML of a message, in which links to exported files lead to files in the folder. `up` is the
 * relative path to that folder. Other links to the server get its address, `site`.
 */
export const withLocalAddresses = (html: string, up: string, site: string): string =>
  html.replace(attribute, (_, before, address, after) => {
    return `${before}${localAddress(address, up) ?? `${site}${address}`}${after}`;
  });

function localAddress(address: string, up: string): string | undefined {
  const [, thumbnail] =
    /^\/user_uploads\/thumbnail\/(\d+\/[^/]+\/[^/]+)\/[^/]+$/.exec(address) ?? [];
  const [, upload = thumbnail] = /^\/user_uploads\/(\d+\/[^/]+\/[^/]+)$/.exec(address) ?? [];
  const inFolder = upload === undefined ? undefined : pathInFolder(upload);
  if (inFolder !== undefined) return `${up}${inFolder}`;
  const [, emoji] = /^\/user_avatars\/\d+\/emoji\/images\/([\w.-]+)$/.exec(address) ?? [];
  return emoji === undefined ? undefined : `${up}${emojiInFolder(emoji)}`;
}
