import { useLayoutEffect } from "preact/hooks";

/** Closes an overlay when the address changes to another place, also through the Back button. */
export function useLeftPlace(close: () => void): void {
  useLayoutEffect(() => {
    // A dialog that opens together with another place is only told of that place later.
    const { hash } = location;
    const leave = () => {
      if (location.hash !== hash) close();
    };
    addEventListener("hashchange", leave);
    return () => removeEventListener("hashchange", leave);
  }, []);
}
