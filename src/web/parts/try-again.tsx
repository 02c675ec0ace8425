import { useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../words/words";

interface Props {
  again(): void;
  label?: string;
}

/** The address at which a button was pressed; undefined if none was since the last one came. */
let pressedAt: string | undefined;

/**
 * A button that repeats what has failed. It goes while that is repeated, and the view or a dialog
 * has the focus. If it fails again, the new button takes the focus back.
 */
export function TryAgain({ again, label = words.tryAgain }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    const isFree = document.activeElement?.contains(current);
    if (isFree && pressedAt === location.hash) current?.focus({ preventScroll: true });
    pressedAt = undefined;
  }, []);
  const press = () => {
    pressedAt = location.hash;
    again();
  };
  return (
    <button ref={button} type="button" class="chip" onClick={press}>
      {label}
    </button>
  );
}
