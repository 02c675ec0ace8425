import { broken, type Import, type Source } from "./source-tree";

/**
 * The parts of the program as import rules see them. A feature is a folder of `src` that is not
 * named here; in it, `routes.ts`, `queries.ts`, `state.ts`, `events.ts` and `wire.ts` are parts of
 * their own and all else is `service`.
 */
const folderParts: Record<string, string> = {
  "cli/": "cli",
  "db/schema/": "schema",
  "db/reader.ts": "schema",
  "db/": "db",
  "src/app.ts": "app",
  "src/server.ts": "server",
  "src/event-catalog.ts": "catalog",
  "src/state-catalog.ts": "catalog",
  "src/config.ts": "config",
  "src/config-options.ts": "config",
  "src/config-option.ts": "config",
  "src/config-mail-options.ts": "config",
  "src/core/": "core",
  "src/memory/": "core",
  "src/moving/backup/": "backup",
  "src/moving/check/": "backup",
  "src/moving/realm-archive/": "archive",
  "src/moving/import/": "archive",
  "src/http/": "http",
  "src/emoji/": "emoji",
  "src/markdown/": "markdown",
  "src/files/": "infrastructure",
  "src/jobs/": "infrastructure",
};

/**
 * Parts that each part may load besides its own folder. Types are free: `import type` loads
 * nothing.
 */
const mayImport: Record<string, string[]> = {
  cli: ["app", "server", "config", "core", "service", "infrastructure", "backup", "archive"],
  app: [
    "catalog",
    "config",
    "core",
    "db",
    "schema",
    "infrastructure",
    "realtime",
    "state",
    "events",
    "service",
    "queries",
  ],
  server: ["catalog", "config", "core", "http", "routes"],
  catalog: ["core", "realtime", "events", "state"],
  archive: [
    "archive",
    "backup",
    "emoji",
    "config",
    "core",
    "db",
    "schema",
    "markdown",
    "infrastructure",
    "service",
    "queries",
  ],
  backup: ["config", "core", "db", "schema", "infrastructure"],
  config: ["config", "core"],
  core: ["core", "db", "schema"],
  db: ["core", "schema"],
  schema: [],
  emoji: [],
  markdown: ["emoji"],
  infrastructure: ["core", "db", "schema"],
  http: ["config", "core", "infrastructure", "service", "queries"],
  realtime: ["core", "schema", "infrastructure", "queries"],
  routes: ["core", "http"],
  queries: ["core", "schema", "queries"],
  service: [
    "core",
    "schema",
    "markdown",
    "emoji",
    "infrastructure",
    "realtime",
    "service",
    "queries",
    "wire",
    "archive",
  ],
  state: ["core", "schema", "realtime", "service", "queries"],
  events: ["core", "emoji", "realtime", "wire"],
  wire: ["core", "emoji", "schema", "service", "wire"],
};

/**
 * Lower ranks first: a feature's queries load only queries of lower rank. Features not named here
 * come last.
 */
const queryRanks = [
  "realm",
  "users",
  "user-groups",
  "channels",
  "subscriptions",
  "topics",
  "messages",
];

/**
 * The one place that may know a package; a name that ends in `/` stands for all packages of that
 * scope.
 */
const packageHomes: Record<string, RegExp> = {
  elysia: /^src\/(http\/|server\.ts$)/,
  "@elysiajs/": /^src\/(http\/|server\.ts$)/,
  commander: /^cli\//,
};

/**
 * Names each import of the program that goes in a direction that design section 2 does not allow.
 */
export function wrongDirections(sources: Source[]): string[] {
  return eachImport(sources, (from, { target, typeOnly }) => {
    if (target === undefined || typeOnly) return undefined;
    if (target.startsWith("test/")) return `loads ${target}: the program does not know its tests`;
    const [fromPart, toPart] = [partOf(from), partOf(target)];
    if (toPart === "routes" && fromPart !== "server")
      return `loads ${target}: only src/server.ts loads routes`;
    if (folderOf(from) === folderOf(target)) return undefined;
    if (!mayImport[fromPart]?.includes(toPart)) return `(${fromPart}) loads ${target} (${toPart})`;
    if (fromPart === "queries" && toPart === "queries" && rankOf(target) >= rankOf(from)) {
      return `loads ${target}, which is not of a lower rank`;
    }
    return undefined;
  });
}

/** Names each import of a package outside the one place that may know it. */
export function strayPackages(sources: Source[]): string[] {
  return eachImport(sources, (from, { specifier }) => {
    const [, home] =
      Object.entries(packageHomes).find(([name]) => isOfPackage(specifier, name)) ?? [];
    return home === undefined || home.test(from) ? undefined : `imports ${specifier}`;
  });
}

/** Names each circle of files in `src` that load each other, once. */
export function importCycles(sources: Source[]): string[] {
  const loads = new Map(
    sources
      .filter(({ path }) => path.startsWith("src/"))
      .map((source) => [source.path, loadedBy(source)]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(" → "));
    if (start >= 0 || done.has(path)) return;
    for (const next of loads.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of loads.keys()) visit(path, []);
  return cycles;
}

const loadedBy = ({ imports }: Source) =>
  imports.flatMap(({ target, typeOnly }) => (target && !typeOnly ? [target] : []));

function eachImport(
  sources: Source[],
  judge: (from: string, imported: Import) => string | undefined,
): string[] {
  return sources
    .filter(({ path }) => !path.startsWith("test/"))
    .flatMap(({ path, imports }) =>
      imports.flatMap((imported) => {
        const complaint = judge(path, imported);
        return complaint === undefined ? [] : [broken(path, imported.line, complaint)];
      }),
    );
}

const isOfPackage = (specifier: string, name: string) =>
  specifier === name || specifier.startsWith(name.endsWith("/") ? name : `${name}/`);

function partOf(path: string): string {
  const named = Object.entries(folderParts).find(([prefix]) => path.startsWith(prefix));
  if (named !== undefined) return named[1];
  const role = /\/(routes|queries|state|events|wire)\.ts$/.exec(path)?.[1];
  if (path.startsWith("src/events/") && role !== "routes") return "realtime";
  return role ?? "service";
}

/** `src/messages` for a file of a feature, `db/schema` for the schema, `cli` for all of the CLI. */
function folderOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "src" || path.startsWith("db/schema/") ? `${first}/${second}` : first;
}

function rankOf(path: string): number {
  const rank = queryRanks.indexOf(path.split("/")[1] ?? "");
  return rank < 0 ? queryRanks.length : rank;
}
