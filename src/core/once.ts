/** Makes a value on first use, and keeps it. */
export function once<Made>(make: () => Made): () => Made {
  let kept: { value: Made } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}
