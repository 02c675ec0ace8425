import type { App, Context, RealmRow } from "./context";
import { makeRandomId } from "./secrets";
import { siteOf } from "./site";

/** Context of a verb that the operator calls from the server's command line. */
export function operatorContext(app: App, realm: RealmRow): Context<{ kind: "operator" }> {
  return {
    app,
    realm,
    actor: { kind: "operator" },
    reader: app.engine.reader,
    now: app.clock.now(),
    client: "chatd-admin",
    requestId: makeRandomId(),
    url: siteOf({ app, realm }),
  };
}
