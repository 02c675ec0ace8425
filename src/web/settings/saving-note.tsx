import { savingOf } from "../store/saving";
import { settingsWords } from "../words/settings";

/**
 * Tells beside a control whether its newest change was saved. The region is always in the document,
 * because screen readers only announce changes.
 */
export function SavingNote({ control }: { control: string }) {
  const saving = savingOf(control);
  const isRefused = saving?.kind === "refused";
  return (
    <small class={isRefused ? "saving refused" : "saving"} role="status" dir="auto">
      {isRefused ? saving.why : saving && settingsWords[saving.kind]}
    </small>
  );
}
