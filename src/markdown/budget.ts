/**
 * Amount of costly work that one text may have: true as long as there is enough left, which is then
 * less.
 */
export type Budget = (env: object, amount: number) => boolean;

/** A budget for each text that is rendered, by the parser's environment of the text. */
export function makeBudget(max: number): Budget {
  const spentIn = new WeakMap<object, number>();
  return (env, amount) => {
    const spent = (spentIn.get(env) ?? 0) + amount;
    if (spent > max) return false;
    spentIn.set(env, spent);
    return true;
  };
}
