import { computed, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { reasonOf } from "../store/notices";
import { words } from "../words/words";
import { Icon } from "./icon";
import { useLeftPlace } from "./left-place";

interface Dialog {
  readonly title: string;
  /** The content below the title. */
  body(): ComponentChildren;
  /** Called after the dialog was closed. `isReplaced` tells that another dialog has closed it. */
  onClose?(isReplaced: boolean): void;
}

const openDialog = signal<Dialog | undefined>(undefined);
let shown: HTMLDialogElement | undefined;

/** Whether a dialog is open over the page. */
export const isDialogOpen = computed(() => openDialog.value !== undefined);

/** Opens a dialog over the page. An open dialog is closed. */
export function showDialog(dialog: Dialog): void {
  openDialog.value?.onClose?.(true);
  openDialog.value = dialog;
}

/** Closes the dialog. The focus returns to its former place. */
const closeDialog = (): void => shown?.close();

/** Returns a function that closes the dialog that is open now, but no later one. */
export function closingDialog(): () => void {
  const dialog = shown;
  return () => dialog?.close();
}

/** Draws the open dialog. */
export function DialogHost() {
  const dialog = openDialog.value;
  return dialog ? <OpenDialog key={dialog} dialog={dialog} /> : null;
}

const textFields = "form :is(textarea, input:not([type=radio], [type=checkbox], [type=file]))";

function OpenDialog({ dialog }: { dialog: Dialog }) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLeftPlace(() => element.current?.close());
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    shown = current;
    current.showModal();
    // By default, the close button would get the focus.
    const firstOf = (selector: string) => current.querySelector<HTMLElement>(selector);
    const field = firstOf("[autofocus]:not(button)") ?? firstOf(textFields);
    (field ?? firstOf("form select, [autofocus]") ?? current).focus();
    return () => current.close();
  }, []);
  const onClose = () => {
    if (openDialog.value !== dialog) return;
    openDialog.value = undefined;
    dialog.onClose?.(false);
  };
  return (
    <dialog
      ref={element}
      class="dialog"
      tabIndex={-1}
      aria-labelledby={titleId}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id={titleId} dir="auto">
          {dialog.title}
        </h2>
        <button
          type="button"
          class="tool"
          title={words.actions.close}
          aria-label={words.actions.close}
          onClick={closeDialog}
        >
          <Icon name="close" />
        </button>
      </header>
      {dialog.body()}
    </dialog>
  );
}

interface Submission {
  /** Sends the request. The dialog closes if it succeeds, and otherwise shows the reason. */
  send(): Promise<unknown>;
  children?: ComponentChildren;
  /** Label of the button that sends. */
  action: string;
  /** Label of the button that only closes the dialog. */
  leave?: string;
  isDangerous?: boolean;
}

/**
 * The form of a dialog. It stays open with all entered values until the server has accepted them.
 */
export function DialogForm(submission: Submission) {
  const { send, children, action, leave = words.actions.cancel, isDangerous = false } = submission;
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const close = closingDialog();
    try {
      await send();
      close();
    } catch (error) {
      setRefusal(reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      {children}
      {refusal !== undefined && (
        <p class="refusal" role="alert" dir="auto">
          {refusal}
        </p>
      )}
      <footer>
        <button type="button" class="button" onClick={closeDialog}>
          {leave}
        </button>
        <button
          type="submit"
          class={isDangerous ? "button primary dangerous" : "button primary"}
          // biome-ignore lint/a11y/noAutofocus: a dialog begins at the button that it asks about.
          autoFocus={isDangerous}
          aria-busy={isBusy}
        >
          {action}
        </button>
      </footer>
    </form>
  );
}
