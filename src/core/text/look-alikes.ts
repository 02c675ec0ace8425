import type { Tx } from "../context";

/*
 * Names that look alike count as one where names must be unique: `paypal` with a Cyrillic а is
 * `paypal`. Two names look alike when their skeletons (UTS 39, 4) are equal, or equal in lower
 * case.
 */

interface Table {
  /** Characters with the characters that they look like. */
  all: ReadonlyMap<string, string>;
  /** Look-alikes in scripts other than ASCII: 0 is not O there, nor I an l. */
  foreign: ReadonlyMap<string, string>;
}

let loadedTable: Table | undefined;

/** The table is built on first use, because building it would make every start slower. */
function loadTable(): Table {
  if (loadedTable) return loadedTable;
  const characters: Record<string, string> = require("./confusables.json");
  const all = new Map(
    Object.entries(characters).flatMap(([target, sources]) =>
      [...sources].map((one): [string, string] => [one, target]),
    ),
  );
  loadedTable = { all, foreign: new Map([...all].filter(([character]) => character > "\u007f")) };
  return loadedTable;
}

/**
 * Invisible characters, except tags, because the flags of England, Scotland and Wales differ only
 * by these.
 */
const hidden = /[\p{Default_Ignorable_Code_Point}--[\u{e0020}-\u{e007f}]]/gv;

function skeletonOf(text: string, table: ReadonlyMap<string, string>): string {
  const characters = [...text.normalize("NFD").replace(hidden, "")];
  const replaced = characters.map((character) => table.get(character) ?? character).join("");
  return replaced.normalize("NFD").replace(/\s+/g, " ").trim();
}

/** The skeletons of a name: as it is and in lower case. */
function workOutSkeletons(name: string): readonly string[] {
  const { all, foreign } = loadTable();
  const small = skeletonOf(name.normalize("NFKC"), foreign).toLowerCase();
  return [`= ${skeletonOf(name, all)}`, `~ ${skeletonOf(small, foreign)}`];
}

/** Number of skeletons that are cached, because a name is compared with thousands of others. */
const skeletonsMax = 50_000;
const skeletonsByName = new Map<string, readonly string[]>();

function skeletonsOf(name: string): readonly string[] {
  const before = skeletonsByName.get(name);
  if (before) return before;
  const [oldest] = skeletonsByName.keys();
  if (skeletonsByName.size >= skeletonsMax && oldest !== undefined) skeletonsByName.delete(oldest);
  const skeletons = workOutSkeletons(name);
  skeletonsByName.set(name, skeletons);
  return skeletons;
}

/** Makes a predicate: whether another name looks like this one. */
export function looksLike(name: string): (other: string) => boolean {
  const skeletons = skeletonsOf(name);
  return (other) => skeletonsOf(other).some((skeleton) => skeletons.includes(skeleton));
}

interface Named {
  id: number;
  name: string;
}

/** The names of one kind that a write has read or added, by their skeletons. */
interface Names {
  idsBySkeleton: Map<string, Set<number>>;
  skeletonsById: Map<number, readonly string[]>;
}

/** Cached per write, so that a write that makes a thousand channels reads the other names once. */
const namesIn = new WeakMap<Tx, Map<string, Names>>();

/**
 * Whether another thing of a kind has a name that looks like this one. `list` reads the names of
 * the kind.
 */
export async function isLookAlikeTaken(
  tx: Tx,
  kind: "channels" | "user groups",
  { name, exceptId }: { name: string; exceptId?: number | undefined },
  list: () => Promise<readonly Named[]>,
): Promise<boolean> {
  const kinds = namesIn.get(tx) ?? new Map<string, Names>();
  namesIn.set(tx, kinds);
  let names = kinds.get(kind);
  if (!names) {
    names = { idsBySkeleton: new Map(), skeletonsById: new Map() };
    for (const named of await list()) note(names, named);
    kinds.set(kind, names);
  }
  const holders = skeletonsOf(name).flatMap((skeleton) => [
    ...(names.idsBySkeleton.get(skeleton) ?? []),
  ]);
  return holders.some((id) => id !== exceptId);
}

/** Adds a name that this write has given, for the later checks of the write. */
export function noteName(tx: Tx, kind: "channels" | "user groups", named: Named): void {
  const names = namesIn.get(tx)?.get(kind);
  if (names) note(names, named);
}

function note({ idsBySkeleton, skeletonsById }: Names, { id, name }: Named) {
  for (const skeleton of skeletonsById.get(id) ?? []) idsBySkeleton.get(skeleton)?.delete(id);
  const skeletons = skeletonsOf(name);
  skeletonsById.set(id, skeletons);
  for (const skeleton of skeletons)
    idsBySkeleton.set(skeleton, (idsBySkeleton.get(skeleton) ?? new Set()).add(id));
}
