import { type Static, Type } from "@sinclair/typebox";
import { badRequest } from "../core/errors";
import { isTimeZone } from "../core/language";

/** A service of this server that a bot can be. */
export const embeddedServiceObject = Type.Object(
  {
    name: Type.String(),
    config: Type.Record(Type.String(), Type.String(), {
      description: "Its settings, with an example of each.",
    }),
  },
  { title: "EmbeddedService" },
);

type EmbeddedService = Readonly<Static<typeof embeddedServiceObject>>;

/** The available services (`src/bots/embedded-bots/`): `realm_embedded_bots` in `register`. */
export const embeddedServices: readonly EmbeddedService[] = [
  /**
   * Answers with texts that it was taught. `teachers`: `owner` for its owner and administrators, or
   * `everyone`.
   */
  { name: "faq", config: { teachers: "owner" } },
  /** Collects daily reports of the people of a topic. */
  { name: "standup", config: { time_zone: "UTC" } },
];

/** The service with that name; refuses an unknown name (BAD_REQUEST). */
export function loadEmbeddedService(name: string | undefined): EmbeddedService {
  const service = embeddedServices.find((one) => one.name === name);
  if (service) return service;
  const serviceNames = embeddedServices.map((one) => one.name).join(", ") || "none";
  throw badRequest(
    `There is no embedded bot '${name ?? ""}' on this server. service_name can be: ${serviceNames}.`,
  );
}

const checks: Readonly<Record<string, { isGood(value: string): boolean; words: string }>> = {
  teachers: {
    isGood: (value) => value === "owner" || value === "everyone",
    words: "owner or everyone",
  },
  time_zone: { isGood: isTimeZone, words: "the name of a time zone, such as Europe/Berlin" },
};

/**
 * Refuses (BAD_REQUEST) configuration that a service does not know. Missing values are as in its
 * example.
 */
export function requireFits(serviceName: string, config: Record<string, string>): void {
  const { config: defaults } = loadEmbeddedService(serviceName);
  for (const [name, value] of Object.entries(config)) {
    if (!Object.hasOwn(defaults, name)) {
      throw badRequest(
        `The service ${serviceName} has no '${name}'. Its settings are: ${Object.keys(defaults).join(", ")}.`,
      );
    }
    const check = checks[name];
    if (check && !check.isGood(value)) throw badRequest(`'${name}' must be ${check.words}.`);
  }
}
