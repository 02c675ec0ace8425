import { useRef } from "preact/hooks";
import { type Point, swipeBetween } from "../model/media";

/** Event handlers of an element on which a swipe goes to the next or previous one. */
export function useSwipe(isOn: boolean, step: (by: 1 | -1) => void) {
  const begun = useRef<Point | undefined>(undefined);
  return {
    onPointerDown: ({ clientX: x, clientY: y, pointerType, isPrimary, target }: PointerEvent) => {
      // A second finger zooms, and swipes on the controls of a video or a sound belong to the
      // controls.
      const isMedia = target instanceof Element && target.matches("video, audio");
      const isFinger = isPrimary && pointerType !== "mouse" && !isMedia;
      begun.current = isFinger ? { x, y } : undefined;
    },
    onPointerUp: ({ clientX: x, clientY: y }: PointerEvent) => {
      const from = begun.current;
      begun.current = undefined;
      const by = from && isOn ? swipeBetween(from, { x, y }, document.dir === "rtl") : undefined;
      if (by) step(by);
    },
    onPointerCancel: () => {
      begun.current = undefined;
    },
  };
}
