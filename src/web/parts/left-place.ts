import { useLayoutEffect } from "preact/hooks";

/** Closes what stands above a place, when the address leads to another one: with Back, too. */
export function useLeftPlace(close: () => void): void {
  useLayoutEffect(() => {
    // A dialog that opens along with another place hears of that place later.
    const { hash } = location;
    const leave = () => {
      if (location.hash !== hash) close();
    };
    addEventListener("hashchange", leave);
    return () => removeEventListener("hashchange", leave);
  }, []);
}
