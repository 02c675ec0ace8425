import { broken, type Import, type Source } from "./source-tree";

/**
 * The base folders and the wings of features, from the lowest up, each with the parts that it may
 * load besides itself. A part loads only parts above it in this list, so no two wings ever load
 * each other. Types are free: `import type` loads nothing.
 */
export const wings: Readonly<Record<string, readonly string[]>> = {
  memory: ["db/reader"],
  core: [
    "memory",
    "db/reader",
    "db/sql",
    "db/trouble",
    "db/sync-to-disk",
    "db/give-name",
    "db/postgres-client",
  ],
  https: ["core"],
  emoji: [],
  markdown: ["emoji"],
  files: ["core", "db/reader", "db/sql", "db/sync-to-disk"],
  jobs: ["core", "db/reader", "db/sql"],
  pictures: ["core", "files"],
  events: ["core", "memory", "db/reader", "db/sql"],
  letters: ["core", "jobs", "db/reader"],
  realm: ["core", "memory", "emoji", "markdown", "events", "pictures", "db/reader"],
  people: [
    "core",
    "memory",
    "emoji",
    "events",
    "jobs",
    "pictures",
    "letters",
    "realm",
    "db/reader",
    "db/sql",
  ],
  channels: ["core", "memory", "events", "realm", "people", "db/reader", "db/sql"],
  reading: [
    "core",
    "memory",
    "emoji",
    "markdown",
    "realm",
    "people",
    "channels",
    "db/reader",
    "db/sql",
  ],
  devices: [
    "core",
    "memory",
    "events",
    "jobs",
    "realm",
    "people",
    "channels",
    "reading",
    "db/reader",
    "db/sql",
  ],
  "sign-in": [
    "core",
    "memory",
    "markdown",
    "events",
    "jobs",
    "letters",
    "realm",
    "people",
    "devices",
    "db/reader",
  ],
  http: ["core", "pictures", "realm", "sign-in"],
  uploads: [
    "core",
    "markdown",
    "files",
    "pictures",
    "events",
    "realm",
    "people",
    "reading",
    "db/reader",
    "db/schema",
    "db/sql",
  ],
  messages: [
    "core",
    "memory",
    "emoji",
    "markdown",
    "events",
    "jobs",
    "letters",
    "realm",
    "people",
    "channels",
    "reading",
    "devices",
    "uploads",
    "db/reader",
    "db/schema",
    "db/sql",
  ],
  management: [
    "core",
    "emoji",
    "markdown",
    "events",
    "jobs",
    "pictures",
    "letters",
    "realm",
    "people",
    "channels",
    "sign-in",
    "uploads",
    "messages",
    "db/reader",
    "db/sql",
    "db/schema",
  ],
  bots: [
    "core",
    "emoji",
    "markdown",
    "jobs",
    "pictures",
    "realm",
    "people",
    "channels",
    "reading",
    "sign-in",
    "messages",
    "management",
    "db/reader",
  ],
  own: [
    "core",
    "markdown",
    "events",
    "jobs",
    "people",
    "channels",
    "reading",
    "messages",
    "db/reader",
  ],
  joining: [
    "core",
    "jobs",
    "letters",
    "realm",
    "people",
    "channels",
    "sign-in",
    "messages",
    "management",
  ],
  mail: [
    "core",
    "jobs",
    "letters",
    "realm",
    "people",
    "channels",
    "reading",
    "uploads",
    "messages",
    "management",
    "bots",
    "db/reader",
    "db/sql",
  ],
  register: ["core", "memory", "events", "realm", "people"],
  metrics: ["core", "devices", "jobs", "letters"],
  "web-page": ["core", "realm", "people", "sign-in", "register", "web-wire"],
  moving: [
    "core",
    "emoji",
    "markdown",
    "files",
    "jobs",
    "pictures",
    "events",
    "realm",
    "people",
    "channels",
    "reading",
    "sign-in",
    "uploads",
    "messages",
    "management",
    "bots",
    "own",
    "db/schema",
    "db/sql",
    "db/sync-to-disk",
    "db",
  ],
};

/** Folders that are not wings, and the parts that each may load; "wings" means all wings. */
const others: Readonly<Record<string, readonly string[]>> = {
  "db/schema": [],
  "db/reader": ["db"],
  "db/sql": ["db"],
  "db/trouble": [],
  "db/sync-to-disk": ["db"],
  "db/give-name": ["db"],
  "db/postgres-client": ["db/trouble"],
  db: ["db/schema", "db/trouble", "db/sync-to-disk", "db/give-name", "db/postgres-client"],
  config: ["core"],
  features: ["wings"],
  catalog: ["features", "wings"],
  server: ["catalog", "features", "wings"],
  app: ["catalog", "features", "db", "wings"],
  cli: ["app", "server", "config", "wings"],
  web: ["emoji", "web-wire"],
  "web-wire": [],
};

/** Files of no wing. */
const rootParts: Readonly<Record<string, string>> = {
  "src/app.ts": "app",
  "src/sole-server.ts": "app",
  "src/throwaway-folder.ts": "app",
  "src/server.ts": "server",
  "src/api-types.ts": "server",
  "src/features.ts": "features",
  "src/steps.ts": "features",
  "src/event-catalog.ts": "catalog",
  "src/state-catalog.ts": "catalog",
  // Parts of the state and of the page that both the server and the web client make.
  "src/web/model/wire.ts": "web-wire",
  "src/web/model/lean-state.ts": "web-wire",
  "src/web/model/whole-page.ts": "web-wire",
};

/**
 * The only place that may load a package; a name that ends in `/` means all packages of that scope.
 */
const packageHomes: Record<string, RegExp> = {
  elysia: /^src\/(http\/|server\.ts$)/,
  "@elysiajs/": /^src\/(http\/|server\.ts$)/,
  commander: /^cli\//,
};

/** Names each import of the program that the list of wings does not allow. */
export function wrongDirections(sources: Source[]): string[] {
  return eachImport(sources, (from, { target, typeOnly }) => {
    // The protocol's names and numbers load nothing themselves, so everybody may load them.
    if (target === undefined || typeOnly || target.startsWith("src/protocol/")) return undefined;
    if (target.startsWith("test/")) return `loads ${target}: the program does not know its tests`;
    if (target.endsWith("/routes.ts") && !from.endsWith("/feature.ts") && !isOfQueues(from, target))
      return `loads ${target}: only the feature's feature.ts loads its routes`;
    if (target.endsWith("/feature.ts") && from !== "src/features.ts")
      return `loads ${target}: only src/features.ts loads manifests`;
    if (from.startsWith(webModel) && !target.startsWith(webModel))
      return `loads ${target}: the model of the web client loads itself and the protocol`;
    const [fromPart, toPart] = [partOf(from), partOf(target)];
    if (fromPart === toPart) return undefined;
    const allowed = wings[fromPart] ?? others[fromPart] ?? [];
    const isAllowed = allowed.includes(toPart) || (allowed.includes("wings") && toPart in wings);
    return isAllowed ? undefined : `(${fromPart}) loads ${target} (${toPart})`;
  });
}

const webModel = "src/web/model/";

/** The endpoints of event queues depend on all features, so `src/server.ts` makes them. */
const isOfQueues = (from: string, target: string) =>
  from === "src/server.ts" && target === "src/register/routes.ts";

/** Names each wing that may load a wing below it in the list. */
export function wingsInCircles(of = wings): string[] {
  const names = Object.keys(of);
  return names.flatMap((name, rank) =>
    (of[name] ?? [])
      .filter((loaded) => names.includes(loaded) && names.indexOf(loaded) >= rank)
      .map((loaded) => `${name} may load ${loaded}, which is not below it`),
  );
}

/** Names each part that another one may load, but does not: the list would say too much. */
export function unusedAllowances(sources: Source[]): string[] {
  const loads = new Set<string>();
  for (const { path, imports } of sources)
    for (const { target, typeOnly } of imports)
      if (target !== undefined && !typeOnly) loads.add(`${partOf(path)} ${partOf(target)}`);
  return Object.entries({ ...wings, ...others }).flatMap(([name, allowed]) =>
    allowed
      .filter((part) => part !== "wings" && !loads.has(`${name} ${part}`))
      .map((part) => `${name} ${part}`),
  );
}

/** Names each circle of features that load each other: folders of a wing, and files beside them. */
export function featureCycles(sources: Source[]): string[] {
  const loads = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const from = featureOf(path);
    for (const { target, typeOnly } of imports) {
      const to = target === undefined || typeOnly ? undefined : featureOf(target);
      if (from === undefined || to === undefined || from === to) continue;
      loads.set(from, (loads.get(from) ?? new Set<string>()).add(to));
    }
  }
  return circlesOf(loads);
}

/** Names each import of a package outside its allowed place. */
export function strayPackages(sources: Source[]): string[] {
  return eachImport(sources, (from, { specifier }) => {
    const [, home] =
      Object.entries(packageHomes).find(([name]) => isOfPackage(specifier, name)) ?? [];
    return home === undefined || home.test(from) ? undefined : `imports ${specifier}`;
  });
}

/** Names each circle of files in `src` that load each other, once. */
export function importCycles(sources: Source[]): string[] {
  return circlesOf(
    new Map(
      sources
        .filter(({ path }) => path.startsWith("src/"))
        .map((source) => [source.path, new Set(loadedBy(source))]),
    ),
  );
}

function circlesOf(loads: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (name: string, trail: string[]): void => {
    const start = trail.indexOf(name);
    if (start >= 0) circles.push([...trail.slice(start), name].join(" → "));
    if (start >= 0 || done.has(name)) return;
    for (const next of loads.get(name) ?? []) visit(next, [...trail, name]);
    done.add(name);
  };
  for (const name of loads.keys()) visit(name, []);
  return circles;
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

/** The wing of a file, or the part of the program that it belongs to. */
function partOf(path: string): string {
  const root = rootParts[path];
  if (root !== undefined) return root;
  const [first = "", second = ""] = path.split("/");
  if (first === "src") return second;
  const named = path.replace(/\.ts$/, "");
  if (named in others) return named;
  const folder = `${first}/${second}`;
  return folder in others ? folder : first;
}

/** Parts of the ground, each a whole with its folders. */
const grounds = /^src\/(core|memory|emoji|markdown|files|jobs|pictures|events|http|config)\//;

/** Entry of the bundle. Nothing loads it; it is beside files that the whole client may load. */
const entryOfPage = "src/web/main.tsx";

/** The feature that a file of `src` belongs to; undefined for files at the root. */
function featureOf(path: string): string | undefined {
  const folders = path.split("/").slice(0, -1);
  if (path === entryOfPage || folders[0] !== "src" || folders.length < 2) return undefined;
  return folders.slice(0, grounds.test(path) ? 2 : 3).join("/");
}
