import { useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../words/words";

interface Props {
  again(): void;
}

/**
 * The address at which a button was pressed; undefined if another one has come since, or the person
 * has gone on to something else by a key or the pointer.
 */
let pressedAt: string | undefined;

const forget = () => {
  pressedAt = undefined;
};

/**
 * A button that repeats what has failed. It goes while that is repeated, and the view or a dialog
 * has the focus. If it fails again, the new button takes the focus back.
 */
export function TryAgain({ again }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    const isFree = document.activeElement?.contains(current);
    if (isFree && pressedAt === location.hash) current?.focus({ preventScroll: true });
    forget();
  }, []);
  const press = () => {
    pressedAt = location.hash;
    for (const kind of ["keydown", "pointerdown"])
      addEventListener(kind, forget, { once: true, capture: true });
    again();
  };
  return (
    <button ref={button} type="button" class="chip" onClick={press}>
      {words.tryAgain}
    </button>
  );
}
