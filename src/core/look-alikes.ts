import type { Tx } from "./context";

/*
 * Names that look alike are one name where names must differ: `paypal` with a Cyrillic а is `paypal`. Two names look alike
 * when they have one skeleton (UTS 39, 4), or one in small letters.
 */

interface Table {
  /** Characters by what they look like. */
  all: ReadonlyMap<string, string>;
  /** Look-alikes in scripts other than ASCII: 0 is not O there, nor I an l. */
  foreign: ReadonlyMap<string, string>;
}

let known: Table | undefined;

/**
 * The table is put together when it is asked for first: the server does not wait for it when it
 * starts.
 */
function loadTable(): Table {
  if (known) return known;
  const characters: Record<string, string> = require("./confusables.json");
  const all = new Map(
    Object.entries(characters).flatMap(([look, sources]) =>
      [...sources].map((one): [string, string] => [one, look]),
    ),
  );
  known = { all, foreign: new Map([...all].filter(([character]) => character > "\u007f")) };
  return known;
}

/**
 * Characters that nobody sees, but for tags, because the flags of England, Scotland and Wales
 * differ in nothing else.
 */
const hidden = /[\p{Default_Ignorable_Code_Point}--[\u{e0020}-\u{e007f}]]/gv;

function skeleton(text: string, table: ReadonlyMap<string, string>): string {
  const characters = [...text.normalize("NFD").replace(hidden, "")];
  const looks = characters.map((character) => table.get(character) ?? character).join("");
  return looks.normalize("NFD").replace(/\s+/g, " ").trim();
}

/** The looks of a name: as it is and in small letters. */
function workOutLooks(name: string): readonly string[] {
  const { all, foreign } = loadTable();
  const small = skeleton(name.normalize("NFKC"), foreign).toLowerCase();
  return [`= ${skeleton(name, all)}`, `~ ${skeleton(small, foreign)}`];
}

/** Looks that were worked out last: a name is compared with thousands. */
const looksMax = 50_000;
const looksBy = new Map<string, readonly string[]>();

export function looksOf(name: string): readonly string[] {
  const before = looksBy.get(name);
  if (before) return before;
  const [oldest] = looksBy.keys();
  if (looksBy.size >= looksMax && oldest !== undefined) looksBy.delete(oldest);
  const looks = workOutLooks(name);
  looksBy.set(name, looks);
  return looks;
}

/** Tells of names whether they look like one. */
export function looksLike(name: string): (other: string) => boolean {
  const looks = looksOf(name);
  return (other) => looksOf(other).some((look) => looks.includes(look));
}

interface Named {
  id: number;
  name: string;
}

/** The names of one kind that a write has read or given, by their skeletons. */
interface Names {
  idsByLook: Map<string, Set<number>>;
  looksById: Map<number, readonly string[]>;
}

/** A write that makes a thousand channels reads the names of the others once. */
const namesIn = new WeakMap<Tx, Map<string, Names>>();

/**
 * Whether another thing of a kind has a name that looks like one. `list` reads the names of the
 * kind.
 */
export async function isLookTaken(
  tx: Tx,
  kind: "channels" | "user groups",
  { name, exceptId }: { name: string; exceptId?: number | undefined },
  list: () => Promise<readonly Named[]>,
): Promise<boolean> {
  const kinds = namesIn.get(tx) ?? new Map<string, Names>();
  namesIn.set(tx, kinds);
  let names = kinds.get(kind);
  if (!names) {
    names = { idsByLook: new Map(), looksById: new Map() };
    for (const named of await list()) note(names, named);
    kinds.set(kind, names);
  }
  const holders = looksOf(name).flatMap((look) => [...(names.idsByLook.get(look) ?? [])]);
  return holders.some((id) => id !== exceptId);
}

/** Tells the rest of a write what something is called from now on. */
export function noteName(tx: Tx, kind: "channels" | "user groups", named: Named): void {
  const names = namesIn.get(tx)?.get(kind);
  if (names) note(names, named);
}

function note({ idsByLook, looksById }: Names, { id, name }: Named) {
  for (const look of looksById.get(id) ?? []) idsByLook.get(look)?.delete(id);
  const looks = looksOf(name);
  looksById.set(id, looks);
  for (const look of looks) idsByLook.set(look, (idsByLook.get(look) ?? new Set()).add(id));
}
