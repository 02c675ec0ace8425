import { isSingle } from "./keystroke";

/** The part of a command that decides whether a keystroke means it. */
export interface Keyed<View extends string> {
  readonly keys: readonly string[];
  /** Views in which it acts; everywhere where none are named. */
  readonly views?: readonly View[];
}

/** Circumstances in which a key is pressed. */
export interface Situation<View extends string> {
  readonly view: View;
  /** Whether the keys write into a field. */
  readonly isWriting: boolean;
  /** Whether Enter and Space press something: the keys are at a button or a link. */
  readonly isAtControl: boolean;
  /** Whether a dialog or a menu is open, which has all keys. */
  readonly isCovered: boolean;
  readonly hasSingleKeys: boolean;
  /** Keystroke before this one, if it begins a sequence such as `g g`. */
  readonly begun: string | undefined;
}

/** Meaning of a keystroke: a command, the beginning of a sequence, or nothing. */
export type Meaning<Command> =
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "beginning"; readonly stroke: string }
  | { readonly kind: "nothing" };

const nothing = { kind: "nothing" } as const;

/** Tells which command of a table a keystroke means. The first one of the table that fits is it. */
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
  if (situation.isAtControl && (stroke === "Enter" || stroke === "Space")) return false;
  if (!isSingle(stroke)) return true;
  if (situation.isWriting) return false;
  return situation.hasSingleKeys || stroke.length > 1;
}
