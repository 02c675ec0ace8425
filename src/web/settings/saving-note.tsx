import { useState } from "preact/hooks";
import { type Saving, savingOf } from "../store/saving";
import { settingsWords } from "../words/settings";

/** Tells beside a control whether its newest change was saved. */
export const SavingNote = ({ control }: { control: string }) => <Note saving={savingOf(control)} />;

/** A change of one of several things, such as one alert word. */
interface Change {
  readonly name: string;
  readonly control: string;
}

/**
 * Tells beside a control that changes several things which of these changes were refused, or, if
 * none was, whether the newest was saved. The newest change is the last.
 */
export function SavingNotes({ changes }: { changes: readonly Change[] }) {
  const reasons = changes.flatMap(({ name, control }) => {
    const saving = savingOf(control);
    return saving?.kind === "refused" ? [`${name}: ${saving.why}`] : [];
  });
  const newest = changes.at(-1);
  const saving = newest && savingOf(newest.control);
  return (
    <Note saving={reasons.length > 0 ? { kind: "refused", why: reasons.join(" ") } : saving} />
  );
}

/** Things that were changed with a control, the newest last, and a function that adds one. */
export function useChanged<Thing>(): readonly [readonly Thing[], (thing: Thing) => void] {
  const [changed, setChanged] = useState<readonly Thing[]>([]);
  const add = (thing: Thing) =>
    setChanged((before) => [...before.filter((other) => other !== thing), thing]);
  return [changed, add];
}

/** The region is always in the document, because screen readers only announce changes. */
function Note({ saving }: { saving: Saving | undefined }) {
  const isRefused = saving?.kind === "refused";
  return (
    <small class={isRefused ? "saving refused" : "saving"} role="status" dir="auto">
      {isRefused ? saving.why : saving && settingsWords[saving.kind]}
    </small>
  );
}
