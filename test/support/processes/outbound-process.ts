import { loadConfig } from "../../../src/config/config";
import { systemClock } from "../../../src/core/clock";
import { outboundRequest } from "../../../src/core/network/outbound";

/**
 * Asks each URL in its arguments, all names being on loopback, and prints what came of it: a
 * process of its own has its own authorities.
 */
if (import.meta.main) {
  const app = {
    clock: systemClock,
    config: loadConfig({ outbound_networks_allowed: "127.0.0.1" }, undefined, {}),
    memory: new Map(),
  };
  for (const url of process.argv.slice(2)) {
    const outcome = await outboundRequest({ app, realm: { id: 1 } }, url, {
      resolve: async () => ["127.0.0.1"],
    });
    console.log(
      outcome.is === "answered"
        ? new TextDecoder().decode(outcome.body)
        : `${outcome.is}: ${outcome.reason}`,
    );
  }
}
