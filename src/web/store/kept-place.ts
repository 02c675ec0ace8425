/** Place in messages that a page which begins anew in its tab leads back to. */
interface KeptPlace {
  readonly fragment: string;
  /** The first message in view, and its pixels below the top. */
  readonly id: number;
  readonly top: number;
}

const storageKey = "chatd-kept-place";

/** Keeps a place for the page that comes after this one; undefined for none. */
export function keepPlace(place: Omit<KeptPlace, "fragment"> | undefined): void {
  const kept = place && { ...place, fragment: location.hash };
  if (kept) sessionStorage.setItem(storageKey, JSON.stringify(kept));
  else sessionStorage.removeItem(storageKey);
}

/** The place that the page before has kept, once, where it is of the fragment that is open. */
export function takeKeptPlace(): KeptPlace | undefined {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  if (text === null) return undefined;
  const kept: KeptPlace = JSON.parse(text);
  return kept.fragment === location.hash ? kept : undefined;
}
