import type { Reader } from "../../../db/reader";
import type { RealmRow } from "../../core/context";
import type { Declaration } from "./declaration";
import type { Node } from "./file/decode";
import type { Problem, Source } from "./file/problems";
import type { Planning } from "./planning";
import type { Stored } from "./stored";

/**
 * A kind of thing that an organization's file can declare. All that is known of it stands in one
 * file of `declarables/`: how it is read from the file and from the organization, how the
 * difference is planned and told, and how it is made.
 */
export interface Declarable {
  /**
   * Reads its part of the file, and notes each mistake with its place. Left out where another
   * declarable reads that part too.
   */
  read?(root: Node, source: Source): Partial<Declaration>;
  /** Notes what is wrong with it beside the rest of the file. */
  check?(declaration: Declaration, problems: Problem[]): void;
  /** Reads the organization as it is; `stored` has what was read before, in the order of the list. */
  load?(from: StoredRealm, stored: Stored): Promise<Partial<Stored>>;
  /** Adds the changes that make the organization what the file declares, and what prevents some. */
  plan(planning: Planning): void;
}

/** Place to read an organization from. `now` is UNIX seconds. */
export interface StoredRealm {
  reader: Reader;
  realm: RealmRow;
  now: number;
}
