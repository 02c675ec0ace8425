import { copyText } from "../parts/copying";
import { closingDialog, showDialog } from "../parts/dialog";
import { sourceOf } from "../store/editing";
import { attempt, notify } from "../store/notices";
import { changeWords } from "../words/changes";
import { words } from "../words/words";

/** Shows the Markdown source of a message. */
export const openSource = (messageId: number): Promise<boolean> =>
  attempt(async () => showText(changeWords.source, await sourceOf(messageId)));

interface Why {
  /** Why the text is shown. */
  readonly why: string;
  /** Called after the text was closed. `isReplaced` tells that another dialog has closed it. */
  onClose(isReplaced: boolean): void;
}

/** Shows a text that can be copied. */
export const showText = (title: string, text: string, given?: Why): void =>
  showDialog({
    title,
    onClose: (isReplaced) => given?.onClose(isReplaced),
    body: () => (
      <>
        {given && <p>{given.why}</p>}
        <textarea
          class="field source"
          aria-label={title}
          dir="auto"
          readOnly
          // biome-ignore lint/a11y/noAutofocus: a dialog begins at the text that it shows.
          autoFocus
          rows={8}
          value={text}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <footer>
          <button
            type="button"
            class="button primary"
            onClick={async () => {
              const close = closingDialog();
              const isCopied = await copyText(text);
              if (isCopied) close();
              notify(isCopied ? words.actions.textCopied : words.actions.notCopied);
            }}
          >
            {words.actions.copy}
          </button>
        </footer>
      </>
    ),
  });
