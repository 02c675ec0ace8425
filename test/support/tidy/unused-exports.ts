import { broken, type Source } from "./source-tree";

const exportedName = /^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;

/** Events of a feature are taken as a whole; a program is run by the Makefile. */
const takenAsAWhole = /\/events\.ts$/;

/**
 * Exported values and types of the program whose names stand in no other file. `beside`: texts that
 * may name one as well, such as the Makefile.
 */
export function unusedExports(sources: readonly Source[], beside: string): string[] {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of [...sources, { path: "", text: beside }])
    for (const [word] of text.matchAll(/\w+/g)) {
      const paths = files.get(word);
      if (paths) paths.add(path);
      else files.set(word, new Set([path]));
    }
  return sources
    .filter(({ path }) => /^(src|db|cli)\//.test(path) && !takenAsAWhole.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(exportedName)]
        .filter(([, name = ""]) => files.get(name)?.size === 1)
        .map(({ index, 1: name }) =>
          broken(path, text.slice(0, index).split("\n").length, `${name}`),
        ),
    );
}
