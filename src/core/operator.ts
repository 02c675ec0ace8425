import type { App, Context, RealmRow } from "./context";
import { makeRandomId } from "./secrets";
import { siteOf } from "./site";

/** Surroundings of a verb when the person at the server's command line asks for it. */
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
