import type { Path } from "./file/problems";
import type { PictureToStore } from "./pictures";
import type { Work } from "./work";

/**
 * One step that makes an organization what its file declares: what it says of itself, and how it is
 * done. Some of it can be prepared before the write, because others wait for that.
 */
export interface Change {
  /**
   * Lines for a person: `+` what comes, `-` what goes, `~` what becomes different. Passwords are
   * not shown.
   */
  lines: string[];
  /** Place in the file that asks for it. */
  path: Path;
  /** Description that it brings, to be rendered before. */
  description?: string | undefined;
  /** Password that it brings, to be hashed before. */
  password?: DeclaredPassword | undefined;
  /** Picture that it brings, to be decoded and stored before. */
  picture?: PictureToStore | undefined;
  /** E-mail address of the account that it adds. */
  addedEmail?: string;
  /** Does it in a write, with the parts of verbs that run in one. */
  carryOut(work: Work): Promise<unknown>;
}

export interface DeclaredPassword {
  email: string;
  password: string;
  /** Whether the change does nothing but set it, so that it waits until the password is hashed. */
  isAll: boolean;
}
