import { features } from "./features";

type AnyFeature = (typeof features)[number];
type AnyState = NonNullable<AnyFeature["state"]>[number];

const all: readonly AnyFeature[] = features;

/** The state that `register` answers, feature by feature. */
export const stateCatalog = all.flatMap<AnyState>(({ state = [] }) => state);

/**
 * The keys of all features as one type, but for those that a feature computes, which TypeScript
 * knows nothing of.
 */
type Together<Keys> = (
  Keys extends unknown
    ? string extends keyof Keys
      ? never
      : (one: Keys) => void
    : never
) extends (all: infer All) => void
  ? All
  : never;

/** The keys of all features in the answer of `register`, with what stands there. */
export const stateKeys: Together<(typeof stateCatalog)[number]["keys"]> = Object.assign(
  {},
  ...stateCatalog.map(({ keys }) => keys),
);
