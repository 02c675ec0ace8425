import { Column, is, Param, Placeholder } from "drizzle-orm";

/** The values of a query's placeholders by name. */
export type Values = Record<string, unknown>;

/** Gives the value of the parameter at one place of a query. */
type Fill = (values: Values) => unknown;

export function fillOf(param: unknown): Fill {
  if (is(param, Placeholder)) return valueNamed(param.name);
  if (is(param, Param) && is(param.value, Placeholder)) {
    const value = valueNamed(param.value.name);
    const { encoder } = param;
    const isPlain = encoder.mapToDriverValue === Column.prototype.mapToDriverValue;
    return isPlain ? value : (values) => encoder.mapToDriverValue(value(values));
  }
  return () => param;
}

const valueNamed =
  (name: string): Fill =>
  (values) => {
    const value = values[name];
    if (value === undefined && !(name in values))
      throw new Error(`No value for placeholder "${name}" was provided`);
    return value;
  };
