/** Top-level domains that are mostly file extensions in chat messages. */
const fileNameEndings = new Set(["java", "md", "mov", "py", "zip"]);

let loadedNames: ReadonlySet<string> | undefined;

/**
 * Loads the list of the IANA with the first word that may be a domain, because loading it would
 * make every start slower.
 */
function loadNames(): ReadonlySet<string> {
  if (loadedNames) return loadedNames;
  const { names }: { names: string } = require("./top-level-domains.json");
  loadedNames = new Set(names.split(" "));
  return loadedNames;
}

/** Whether a word, in lower case, is a top-level domain and not a file extension. */
export const isTopLevelDomain = (word: string): boolean =>
  !fileNameEndings.has(word) && (loadNames().has(word) || /^xn--[a-z\d-]+$/.test(word));
