import { registerServer as registerVerb } from "../../src/devices/push/register-server";
import { requireData, withApp } from "../operator";
import type { CommonOptions } from "../options";
import { printResult, UsageError } from "../output";

interface PushOptions extends CommonOptions {
  contact: string;
  name?: string;
  rotateKey?: boolean;
  agreeToTerms?: boolean;
}

/**
 * `chatd admin push register --contact ADDRESS [--name HOST] [--rotate-key] --agree-to-terms`:
 * registers this server at the push relay.
 */
export async function registerServer(options: PushOptions) {
  const { contact, name: host, rotateKey: rotatesKey = false, agreeToTerms } = options;
  if (!agreeToTerms)
    throw new UsageError(
      "The service at push_relay_url learns the host, your e-mail address and the version, and of each active organization its name, host, URL, type, creation date, sign-in methods and IDs, with a secret that proves which server it belongs to. " +
        "If you agree to that and to its terms, add --agree-to-terms.",
    );
  requireData(options);
  const registered = await withApp(options, (app) =>
    registerVerb(app, { host, contact, rotatesKey }),
  );
  const { id, isNew, organizations } = registered;
  const count = organizations === 1 ? "1 organization" : `${organizations} organizations`;
  const verb = isNew ? "This server is registered" : "The registration is up to date";
  printResult(options, { ...registered }, [
    `${verb} at the push relay as ${registered.host} (ID ${id}), with ${count}.`,
    ...(rotatesKey ? ["The server has a new key. Other nodes need it too: see docs/push.md."] : []),
  ]);
}
