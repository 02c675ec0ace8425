import { useRef } from "preact/hooks";
import { type Point, swipeBetween } from "../model/media";

/** Handlers of an element over which a finger steps to the next or the one before. */
export function useSwipe(isOn: boolean, step: (by: 1 | -1) => void) {
  const begun = useRef<Point | undefined>(undefined);
  return {
    onPointerDown: ({ clientX: x, clientY: y, pointerType, isPrimary, target }: PointerEvent) => {
      // A second finger enlarges, and the controls of a film or a sound are its own.
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
