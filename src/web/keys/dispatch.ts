import { isSingle } from "./keystroke";

/** The parts of a command that decide whether a keystroke means it. */
export interface Keyed<View extends string> {
  readonly keys: readonly string[];
  /** The views in which it works; all views if none are named. */
  readonly views?: readonly View[];
}

/** The circumstances in which a key is pressed. */
export interface Situation<View extends string> {
  readonly view: View;
  /** Whether the key would type into a field. */
  readonly isWriting: boolean;
  /** Keystrokes that the focused element handles by itself, such as Enter at a button. */
  readonly ownKeys: readonly string[];
  /** Whether a dialog or a menu is open, which receives all keys. */
  readonly isCovered: boolean;
  readonly hasSingleKeys: boolean;
  /** The keystroke before this one, if it begins a sequence such as `g g`. */
  readonly begun: string | undefined;
}

/** The meaning of a keystroke: a command, the beginning of a sequence, or nothing. */
export type Meaning<Command> =
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "beginning"; readonly stroke: string }
  | { readonly kind: "nothing" };

const nothing = { kind: "nothing" } as const;

/**
 * The command of a table that a keystroke means. If several match, it is the first one of the
 * table.
 */
export function meaningOf<View extends string, Command extends Keyed<View>>(
  stroke: string,
  commands: readonly Command[],
  situation: Situation<View>,
): Meaning<Command> {
  if (situation.isCovered || !isHeard(stroke, situation)) return nothing;
  const here = commands.filter(({ views }) => !views || views.includes(situation.view));
  const withKeys = (keys: string) => here.find((command) => command.keys.includes(keys));
  const sequence = situation.begun === undefined ? undefined : `${situation.begun} ${stroke}`;
  const command = (sequence && withKeys(sequence)) || withKeys(stroke);
  if (command) return { kind: "command", command };
  const isBeginning = here.some(({ keys }) => keys.some((one) => isSequenceOf(one, stroke)));
  return isBeginning ? { kind: "beginning", stroke } : nothing;
}

const isSequenceOf = (keys: string, stroke: string): boolean =>
  isSingle(keys) && keys !== stroke && keys.startsWith(`${stroke} `) && stroke.length === 1;

function isHeard(stroke: string, situation: Situation<string>): boolean {
  if (stroke === "Esc") return true;
  if (situation.ownKeys.includes(stroke)) return false;
  if (!isSingle(stroke)) return true;
  if (situation.isWriting) return false;
  return situation.hasSingleKeys || stroke.length > 1;
}
