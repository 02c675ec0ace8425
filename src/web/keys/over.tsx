import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { closeOver } from "./palette-door";

interface OverProps {
  name: string;
  form: string;
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
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does by keyboard what the click does.
    <dialog
      ref={dialog}
      class={`over ${form}`}
      aria-label={name}
      onClose={closeOver}
      onClick={({ target }) => target === dialog.current && closeOver()}
    >
      {children}
    </dialog>
  );
}
