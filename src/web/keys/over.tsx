import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { closeOver, overPage } from "./palette-door";

interface OverProps {
  name: string;
  form: "palette" | "help";
  children: ComponentChildren;
}

/** A dialog above the page. Esc and a click beside it close it, and the focus goes back. */
export function Over({ name, form, children }: OverProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const opening = useRef(overPage.value);
  // The event comes a moment later, when it may have been opened again.
  const onClose = () => {
    if (overPage.value === opening.current) closeOver();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does by keyboard what the click does.
    <dialog
      ref={dialog}
      class={`over ${form}`}
      aria-label={name}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && closeOver()}
    >
      {children}
    </dialog>
  );
}
