/** The scroll position to which a page returns when it is loaded again in its tab. */
interface KeptPlace {
  readonly fragment: string;
  /** The first visible message, and its distance from the top in pixels. */
  readonly id: number;
  readonly top: number;
}

const storageKey = "chatd-kept-place";

/** Stores a position for the next page in this tab; undefined removes it. */
export function keepPlace(place: Omit<KeptPlace, "fragment"> | undefined): void {
  const kept = place && { ...place, fragment: location.hash };
  if (kept) sessionStorage.setItem(storageKey, JSON.stringify(kept));
  else sessionStorage.removeItem(storageKey);
}

/** Returns the stored position once, if it belongs to the open fragment. */
export function takeKeptPlace(): KeptPlace | undefined {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  if (text === null) return undefined;
  const kept: KeptPlace = JSON.parse(text);
  return kept.fragment === location.hash ? kept : undefined;
}
