import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useLeftPlace } from "../parts/left-place";
import { closeOverlay, overlay } from "./overlay";

interface OverlayProps {
  name: string;
  form: "palette" | "help";
  children: ComponentChildren;
}

/** A dialog above the page. Esc, and a click beside it, close it and return the focus. */
export function OverlayDialog({ name, form, children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLeftPlace(closeOverlay);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const opening = useRef(overlay.value);
  // The event comes a moment later, when the dialog may be open again.
  const onClose = () => {
    if (overlay.value === opening.current) closeOverlay();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does by keyboard what the click does.
    <dialog
      ref={dialog}
      class={`overlay ${form}`}
      aria-label={name}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && closeOverlay()}
    >
      {children}
    </dialog>
  );
}
