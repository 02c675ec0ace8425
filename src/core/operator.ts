import type { App, Context, RealmRow } from "./context";
import { siteOf } from "./network/site";
import { operatorAddress } from "./operator-address";
import { makeRandomId } from "./secrets/secrets";

/** The name of the client program that commands are. */
export const operatorClient = "chatd-admin";

/** Context of a verb that the operator calls from the server's command line. */
export function operatorContext(app: App, realm: RealmRow): Context<{ kind: "operator" }> {
  return {
    app,
    realm,
    actor: { kind: "operator" },
    reader: app.engine.reader,
    now: app.clock.now(),
    client: operatorClient,
    clientAddress: operatorAddress,
    requestId: makeRandomId(),
    url: siteOf({ app, realm }),
  };
}
