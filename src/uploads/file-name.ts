/**
 * Names are shown to people and sent in headers: no control characters, nothing that turns the
 * direction of text around.
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const nameLengthMax = 200;
const unnamed = "uploaded-file";

/**
 * The name that a file is shown under: what its uploader calls it, without the folders that it was
 * in.
 */
export function shownName(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? "";
  const name = shorten([...last.replace(unprintable, "").trim()]);
  return name === "" || name === "." || name === ".." ? unnamed : name;
}

/** Cuts from the middle of a long name: how it ends tells what it is. */
function shorten(characters: string[]): string {
  if (characters.length <= nameLengthMax) return characters.join("");
  const ending = characters.slice(-20);
  return [...characters.slice(0, nameLengthMax - ending.length), ...ending].join("");
}

/** File name for the end of an address: letters, digits, dots, hyphens and underscores. */
export function addressName(name: string): string {
  const plain = name
    .normalize("NFKC")
    .replace(/[^\p{L}\p{M}\p{N}_\s.-]/gu, "")
    .trim()
    .replace(/[-\s]+/g, "-");
  return /^\.*$/.test(plain) ? unnamed : plain;
}

/**
 * `attachment; filename="report.pdf"`. Names with anything in them that browsers read differently
 * there stand after it in the form of RFC 8187, with a plain one for older clients (RFC 6266,
 * appendix D).
 */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^ -~]|["%\\]/g, "_");
  const extended = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `${kind}; filename="${plain}"${plain === name ? "" : `; filename*=UTF-8''${extended}`}`;
}

/**
 * Text that a path in a link stands for; a text that is not encoded as paths are stands for itself.
 */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
