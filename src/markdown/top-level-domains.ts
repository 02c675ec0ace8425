/** Top-level domains which in chat are the endings of file names. */
const fileNameEndings = new Set(["java", "md", "mov", "py", "zip"]);

let loadedNames: ReadonlySet<string> | undefined;

/**
 * The list of the IANA is loaded with the first word that may be a domain: the server does not wait
 * for it when it starts.
 */
function loadNames(): ReadonlySet<string> {
  if (loadedNames) return loadedNames;
  const { names }: { names: string } = require("./top-level-domains.json");
  loadedNames = new Set(names.split(" "));
  return loadedNames;
}

/**
 * Whether a word is a top-level domain, written in small letters, and not rather the ending of a
 * file's name.
 */
export const isTopLevelDomain = (word: string): boolean =>
  !fileNameEndings.has(word) && (loadNames().has(word) || /^xn--[a-z\d-]+$/.test(word));
