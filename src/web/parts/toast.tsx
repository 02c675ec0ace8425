import { useEffect, useRef, useState } from "preact/hooks";
import { dismissNotice, type Notice, notices } from "../store/notices";
import { words } from "../words/words";
import { Icon } from "./icon";

/** Long enough to read a sentence and to reach its button. */
const shownMilliseconds = 10_000;

/**
 * Notices above the page. Their region is always in the document, because screen readers only
 * announce changes. When a button of a notice disappears, the focus returns to the element that had
 * it before.
 */
export function Toasts() {
  /** The element that had the focus before a button of a notice. */
  const before = useRef<HTMLElement>(null);
  return (
    <div
      class="toasts"
      role="status"
      onFocusIn={({ currentTarget, relatedTarget }) => {
        const from = relatedTarget instanceof HTMLElement ? relatedTarget : null;
        if (!currentTarget.contains(from)) before.current = from;
      }}
    >
      {notices.value.map((notice) => (
        <Toast
          key={notice.id}
          notice={notice}
          goBack={() => before.current?.focus({ preventScroll: true })}
        />
      ))}
    </div>
  );
}

/** A notice. It stays while the pointer or the focus is on it. */
interface ToastProps {
  notice: Notice;
  goBack: () => void;
}

function Toast({ notice, goBack }: ToastProps) {
  const { id, text, undo, link } = notice;
  const leave = () => {
    goBack();
    dismissNotice(id);
  };
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissNotice(id), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  return (
    <div
      class="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span dir="auto">{text}</span>
      {link && (
        <a class="chip" href={link.href} onClick={() => dismissNotice(id)}>
          {link.name}
        </a>
      )}
      {undo && (
        <button
          type="button"
          class="chip"
          onClick={() => {
            leave();
            undo();
          }}
        >
          {words.actions.undo}
        </button>
      )}
      <button
        type="button"
        class="tool"
        title={words.actions.dismiss}
        aria-label={words.actions.dismiss}
        onClick={leave}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
