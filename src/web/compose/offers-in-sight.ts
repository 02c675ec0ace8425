import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { limitAbove } from "../parts/floating";

/** Keeps a list above a box in the window while it is shown. It scrolls if it is longer. */
export function useRoomAbove(): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = list;
    const box = current?.closest(".writing");
    return current && box ? limitAbove(current, box) : undefined;
  }, []);
  return list;
}

/** Scrolls a list to the option that an arrow has chosen. */
export function useChosenInSight(optionId: string | undefined): void {
  useLayoutEffect(() => {
    const option = optionId === undefined ? null : document.getElementById(optionId);
    option?.scrollIntoView({ block: "nearest" });
  }, [optionId]);
}
