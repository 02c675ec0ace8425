import { unprintable } from "../core/text/unprintable";

const nameLengthMax = 200;
const unnamed = "uploaded-file";

/** The name that is shown for a file: the uploader's name for it, without folders. */
export function shownName(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? "";
  const name = shorten([...last.replace(unprintable, "").trim()]);
  return name === "" || name === "." || name === ".." ? unnamed : name;
}

/** Shortens a long name in its middle, because its end says the type. */
function shorten(characters: string[]): string {
  if (characters.length <= nameLengthMax) return characters.join("");
  const ending = characters.slice(-20);
  return [...characters.slice(0, nameLengthMax - ending.length), ...ending].join("");
}

/** File name for an address: letters, digits, dots, hyphens and underscores. */
export function addressName(name: string): string {
  const plain = name
    .normalize("NFKC")
    .replace(/[^\p{L}\p{M}\p{N}_\s.-]/gu, "")
    .trim()
    .replace(/[-\s]+/g, "-");
  return /^\.*$/.test(plain) ? unnamed : plain;
}

/**
 * The header `attachment; filename="report.pdf"`. A name that browsers could misread is added in
 * the form of RFC 8187, in addition to a simplified name for older clients (RFC 6266, appendix D).
 */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^ -~]|["%\\]/g, "_");
  const extended = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `${kind}; filename="${plain}"${plain === name ? "" : `; filename*=UTF-8''${extended}`}`;
}

/** The decoded path of a link; a path with an invalid encoding stays unchanged. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
