/**
 * The cases of `docs/protocol/security-cases.md` that cannot apply here, each with why. All others
 * have a test whose name carries their letter and number: `test/security-cases.once.test.ts`.
 */
export const cannotApply: Record<string, string> = {
  I2: "there is no second factor of signing in",
  I3: "there is no signing in by another provider, whose word on an address could link an account",
  I4: "there is no OAuth, and so neither its state nor its code",
  J3: "nothing is written as CSV: what is exported is JSON, in which no cell is computed",
};
