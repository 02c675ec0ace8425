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
 * A kind of object that an organization's file can declare. One file of `declarables/` contains
 * everything about a kind: how it is read from the file and from the organization, and how a
 * difference is planned, described and carried out.
 */
export interface Declarable {
  /**
   * Reads its part of the file, and adds a problem with its place for each mistake. Missing where
   * another declarable reads that part.
   */
  read?(root: Node, source: Source): Partial<Declaration>;
  /** Adds problems that depend on other parts of the file. */
  check?(declaration: Declaration, problems: Problem[]): void;
  /**
   * Reads the objects that the organization has. `stored` has the data of the declarables before it
   * in the list.
   */
  load?(from: StoredRealm, stored: Stored): Promise<Partial<Stored>>;
  /**
   * Adds the changes that make the organization match the file, and the problems that prevent such
   * changes.
   */
  plan(planning: Planning): void;
  /**
   * Writes the organization's objects as its part of a file. Missing where another declarable
   * writes that part.
   */
  dump?(dumping: Dumping): DumpedPart;
  /** Ends undeclared objects. Missing where ended objects could not be restored. */
  prune?: Pruning;
}

/** Place to read an organization from. `now` is UNIX seconds. */
interface StoredRealm {
  app: App;
  reader: Reader;
  realm: RealmRow;
  now: number;
}

/**
 * Ends objects that a file does not declare although it has their part, when the organization
 * should match the file exactly.
 */
export interface Pruning {
  part: keyof Declaration;
  /** Changes that deactivate or archive the objects. Both can be undone. */
  changes(planning: Planning): Change[];
}
