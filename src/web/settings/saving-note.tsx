import { savingOf } from "../store/saving";
import { settingsWords } from "../words/settings";

/**
 * Tells beside a control how its newest change went. The region is there before its words, because
 * readers hear only changes.
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
