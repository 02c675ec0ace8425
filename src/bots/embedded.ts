import { badRequest } from "../core/errors";

/** A service of this server that a bot can be: its name, and what it has to be told, with an example of each. */
export interface EmbeddedService {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

/** The services that there are: `realm_embedded_bots` in `register`. */
export const embeddedServices: readonly EmbeddedService[] = [];

/** The service of that name; refuses a name that none has (BAD_REQUEST). */
export function loadEmbeddedService(name: string | undefined): EmbeddedService {
  const service = embeddedServices.find((one) => one.name === name);
  if (service) return service;
  const known = embeddedServices.map((one) => one.name).join(", ") || "none";
  throw badRequest(`There is no embedded bot '${name ?? ""}' on this server. service_name can be: ${known}.`);
}
