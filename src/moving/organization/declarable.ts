import type { Reader } from "../../../db/reader";
import type { App, RealmRow } from "../../core/context";
import type { Change } from "./change";
import type { Declaration } from "./declaration";
import type { DumpedPart, Dumping } from "./dumping";
import type { Node } from "./file/decode";
import type { Problem, Source } from "./file/problems";
import type { Planning } from "./planning";
import type { Stored } from "./stored";

/**
 * A kind of object that an organization's file can declare. One file of `declarables/` has
 * everything about it: how it is read from the file and from the organization, and how a difference
 * is planned, described and carried out.
 */
export interface Declarable {
  /**
   * Reads its part of the file, and adds a problem with its place for each mistake. Left out where
   * another declarable reads that part too.
   */
  read?(root: Node, source: Source): Partial<Declaration>;
  /** Adds problems in relation to the rest of the file. */
  check?(declaration: Declaration, problems: Problem[]): void;
  /** Reads the present organization; `stored` has the data of earlier declarables in the list. */
  load?(from: StoredRealm, stored: Stored): Promise<Partial<Stored>>;
  /**
   * Adds the changes that make the organization match the file, and the problems that prevent some.
   */
  plan(planning: Planning): void;
  /**
   * Writes the present organization as its part of a file. Left out where another declarable writes
   * that part too.
   */
  dump?(dumping: Dumping): DumpedPart;
  /** Left out where objects could not be brought back. */
  prune?: Pruning;
}

/** Place to read an organization from. `now` is UNIX seconds. */
export interface StoredRealm {
  app: App;
  reader: Reader;
  realm: RealmRow;
  now: number;
}

/** End of objects that a file does not declare, where it has their part and is to be exact. */
export interface Pruning {
  part: keyof Declaration;
  /** Changes that deactivate or archive them; they can be brought back. */
  changes(planning: Planning): Change[];
}
