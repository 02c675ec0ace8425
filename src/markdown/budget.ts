/**
 * Limits costly work for one text. It takes an amount of work from the budget of the text, and
 * answers whether enough was left.
 */
export type Budget = (env: object, amount: number) => boolean;

/** Makes a budget of `max` for each rendered text, identified by the parser's environment. */
export function makeBudget(max: number): Budget {
  const spentIn = new WeakMap<object, number>();
  return (env, amount) => {
    const spent = (spentIn.get(env) ?? 0) + amount;
    if (spent > max) return false;
    spentIn.set(env, spent);
    return true;
  };
}
