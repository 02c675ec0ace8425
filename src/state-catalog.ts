import { features } from "./features";

type AnyFeature = (typeof features)[number];
type AnyState = NonNullable<AnyFeature["state"]>[number];

/**
 * Features in the order in which `register` answers their state. One that is not named here comes
 * after these, so that a new feature need not be.
 */
const answeredFirst: readonly AnyFeature["name"][] = [
  "realm settings",
  "settings",
  "users",
  "bots",
  "user groups",
  "channels",
  "subscriptions",
  "messages",
  "user topics",
  "alert words",
  "drafts",
  "saved snippets",
  "scheduled messages",
  "reminders",
  "linkifiers",
  "realm emoji",
  "domains",
  "channel folders",
  "profile fields",
  "navigation views",
  "onboarding steps",
  "playgrounds",
  "presence",
  "status",
  "muted users",
  "devices",
];

const placeOf = ({ name }: AnyFeature): number =>
  answeredFirst.includes(name) ? answeredFirst.indexOf(name) : answeredFirst.length;

/** The state that `register` answers, feature by feature. */
export const stateCatalog = features
  .toSorted((a, b) => placeOf(a) - placeOf(b))
  .flatMap<AnyState>(({ state = [] }) => state);

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
