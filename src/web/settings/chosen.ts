import { useState } from "preact/hooks";

/**
 * The value that a control shows, and a function that chooses another: the chosen one is shown at
 * once, and the saved one again when `choose` has ended, because the server may have refused.
 */
export function useChosen<Value>(
  saved: Value,
  choose: (value: Value) => unknown,
): readonly [Value, (value: Value) => void] {
  const [choice, setChoice] = useState<{ readonly value: Value }>();
  const take = async (value: Value) => {
    const own = { value };
    setChoice(own);
    await choose(value);
    setChoice((newest) => (newest === own ? undefined : newest));
  };
  return [choice ? choice.value : saved, (value) => void take(value)];
}
