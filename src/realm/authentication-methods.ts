import { badRequest } from "../core/errors";
import { isRecord } from "../core/json/record";

/** The authentication methods, as `register` shows them: e-mail address and password. */
export const authenticationMethods: Record<string, { enabled: boolean; available: boolean }> = {
  Email: { enabled: true, available: true },
};

/**
 * Refuses authentication methods that this server does not have, and a choice of none. The only
 * remaining method is always on, so nothing changes.
 */
export function requireAuthenticationMethods(given: unknown): void {
  if (!isRecord(given)) {
    throw badRequest(
      "authentication_methods must be a JSON object of true and false by the methods' names.",
    );
  }
  for (const [name, isEnabled] of Object.entries(given)) {
    if (typeof isEnabled !== "boolean")
      throw badRequest(`authentication_methods["${name}"] must be true or false.`);
    if (Object.hasOwn(authenticationMethods, name)) continue;
    const methodNames = Object.keys(authenticationMethods).join(", ");
    throw badRequest(`Invalid authentication method: ${name}. This server has ${methodNames}.`);
  }
  if (!Object.values(given).includes(true))
    throw badRequest("At least one authentication method must be enabled.");
}
