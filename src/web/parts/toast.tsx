import { useEffect, useState } from "preact/hooks";
import { dismissNotice, type Notice, notices } from "../store/notices";
import { words } from "../words/words";
import { Icon } from "./icon";

/** Long enough to read a sentence and to reach its button. */
const shownMilliseconds = 10_000;

/** Notices above the page. The region is there before them, because readers hear only changes. */
export const Toasts = () => (
  <div class="toasts" role="status">
    {notices.value.map((notice) => (
      <Toast key={notice.id} notice={notice} />
    ))}
  </div>
);

/** A notice; it stays while it is pointed at, or focused. */
function Toast({ notice }: { notice: Notice }) {
  const { id, text, undo } = notice;
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
      {undo && (
        <button
          type="button"
          class="chip"
          onClick={() => {
            dismissNotice(id);
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
        onClick={() => dismissNotice(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
