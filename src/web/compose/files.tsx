import { Icon } from "../parts/icon";
import { TryAgain } from "../parts/try-again";
import { cancelUpload, type Upload, uploadAgain, uploadsOf } from "../store/uploads";
import { composeWords } from "../words/compose";
import { dropBox } from "./take-files";
import type { TextBox } from "./text-box";

/** Files that are being uploaded for the text in a box. */
export function FileList({ box }: { box: TextBox }) {
  const uploads = uploadsOf(box.key.value);
  return (
    <>
      {dropBox.value === box && <p class="dropping">{composeWords.dropHere}</p>}
      {uploads.length > 0 && (
        <ul class="files" aria-label={composeWords.files}>
          {uploads.map((upload) => (
            <FileLine key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
    </>
  );
}

function FileLine({ upload: { id, name, size, sent, why, isAllowed } }: { upload: Upload }) {
  const label = composeWords.cancelUpload(name);
  return (
    <li>
      {isAllowed && (
        <span class="name" dir="auto">
          {name}
        </span>
      )}
      {why === undefined ? (
        <progress value={sent} max={Math.max(size, 1)} aria-label={name} />
      ) : (
        <span class="why" role="alert" dir="auto">
          {why} {isAllowed && <TryAgain again={() => uploadAgain(id)} />}
        </span>
      )}
      <button
        type="button"
        class="tool"
        title={label}
        aria-label={label}
        onClick={() => cancelUpload(id)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
