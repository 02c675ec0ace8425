import type { Declaration } from "./declaration";
import type { Path } from "./file/problems";
import type { PictureToStore } from "./pictures";
import type { Work } from "./work";

/**
 * One step that makes an organization match its file: its description, and how it is carried out.
 * Some of it can be prepared before the write, because other writes wait for that one.
 */
export interface Change {
  /**
   * Lines for a person: `+` for additions, `-` for removals, `~` for changes. Passwords are not
   * shown.
   */
  lines: string[];
  /** Place in the file that asks for it. */
  path: Path;
  /** Description that it sets, to be rendered before. */
  description?: string | undefined;
  /** Password that it sets, to be hashed before. */
  password?: DeclaredPassword | undefined;
  /** Picture that it sets, to be decoded and stored before. */
  picture?: PictureToStore | undefined;
  /** E-mail address of the account that it adds. */
  addedEmail?: string;
  /** Part of the file that lacks the object which it ends. */
  prunes?: keyof Declaration;
  /** Carries it out in a write, with the parts of verbs that run in one. */
  carryOut(work: Work): Promise<unknown>;
}

export interface DeclaredPassword {
  email: string;
  password: string;
  /** Whether the change only sets the password, so that it waits until that is hashed. */
  isAll: boolean;
}
