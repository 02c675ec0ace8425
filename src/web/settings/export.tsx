import { cancelExport, exportOwnData, ownExport } from "../store/own-export";
import { settingsWords } from "../words/settings";
import { Flag } from "./controls";

const { export: exportWords } = settingsWords;
const fileName = "chat-export.json";

/** A file with the person's data. */
export const OwnExport = () => (
  <>
    <p class="quiet">{exportWords.help}</p>
    <div class="choices">
      <State />
    </div>
    <Flag name="allow_private_data_export" />
  </>
);

function State() {
  const state = ownExport.value;
  return (
    <>
      {state?.kind === "running" ? (
        <button type="button" class="button" onClick={cancelExport}>
          {exportWords.cancel}
        </button>
      ) : (
        <button type="button" class="button" onClick={() => void exportOwnData()}>
          {exportWords.begin}
        </button>
      )}
      {state?.kind === "done" && (
        <a class="button primary" href={state.address} download={fileName}>
          {exportWords.save}
        </a>
      )}
      <p class={state?.kind === "refused" ? "refusal" : "quiet"} role="status" dir="auto">
        {state?.kind === "running" && exportWords.progress(state.count)}
        {state?.kind === "done" && exportWords.done(state.count)}
        {state?.kind === "refused" && state.why}
      </p>
    </>
  );
}
