import type { Declaration } from "./declaration";
import type { Path } from "./file/problems";
import type { PictureToStore } from "./pictures";
import type { Work } from "./work";

/**
 * One step that makes an organization match its file: a description, and a function that carries it
 * out. Parts of it can be prepared before the write, because other writes wait for that write.
 */
export interface Change {
  /**
   * Lines for a person: `+` for additions, `-` for removals, `~` for changes. Passwords are not
   * shown.
   */
  lines: string[];
  /** Place in the file that asks for the change. */
  path: Path;
  /** Description that the change sets. It is rendered before the write. */
  description?: string | undefined;
  /** Password that the change sets. It is hashed before the write. */
  password?: DeclaredPassword | undefined;
  /** Picture that the change sets. It is decoded and stored before the write. */
  picture?: PictureToStore | undefined;
  /** E-mail address of the account that the change adds. */
  addedEmail?: string;
  /**
   * Part of the file that does not declare the object, if the change deactivates or archives it for
   * that reason.
   */
  prunes?: keyof Declaration;
  /** Ids of the bots that the change deactivates with their owner. */
  endedBots?: readonly number[];
  /** Carries out the change in a write, with the inner parts of verbs. */
  carryOut(work: Work): Promise<unknown>;
}

interface DeclaredPassword {
  email: string;
  password: string;
  /** Whether the change only sets the password, so that it waits until that is hashed. */
  isAll: boolean;
}
