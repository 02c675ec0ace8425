import type { Source } from "./source-tree";

/** Functions that declare a part of a feature, by the module that has them. */
const declaring: Readonly<Record<string, string>> = {
  "src/core/endpoint.ts": "endpoint",
  "src/events/define.ts": "event",
  "src/jobs/define.ts": "defineJob",
};

/** Files that hold a part of a feature, by how they are called. */
const namedParts = /^src\/(?!core\/|web\/).*(\/(routes|events|state|job)|[/-]presenter)\.ts$/;

/** Files whose parts the root itself takes. */
const takenByRoot = ["src/register/routes.ts"];

/**
 * Names each part of a feature (routes, events, state, a presenter or a job) that no manifest
 * loads, and each manifest that `src/features.ts` does not list: the server would be without it.
 */
export function unlistedParts(sources: readonly Source[]): string[] {
  const listed = new Set(sources.filter(({ path }) => path === "src/features.ts").flatMap(loads));
  const manifests = sources.filter(({ path }) => path.endsWith("/feature.ts"));
  const named = new Set([...takenByRoot, ...manifests.flatMap(loads)]);
  return [
    ...manifests
      .filter(({ path }) => !listed.has(path))
      .map(({ path }) => `${path} is not listed in src/features.ts`),
    ...sources
      .filter((source) => isPart(source) && !named.has(source.path))
      .map(({ path }) => `${path} is named by no feature.ts`),
  ];
}

const isPart = (source: Source): boolean =>
  source.path.startsWith("src/") && (namedParts.test(source.path) || declares(source));

const declares = ({ imports }: Source): boolean =>
  imports.some(({ target, names }) =>
    Object.entries(declaring).some(([module, name]) => module === target && names.includes(name)),
  );

const loads = ({ imports }: Source): string[] =>
  imports.flatMap(({ target, typeOnly }) => (target !== undefined && !typeOnly ? [target] : []));
