import type { App } from "../../core/context";
import { noteOrganization, publicHost } from "../../core/site";
import { findRealmByHost } from "../../realm/queries";

/** Finds out whether an organization has the host of the server's configured address. */
export async function findPublicOrganization(app: App): Promise<void> {
  const host = publicHost(app);
  const realm = host === undefined ? undefined : await findRealmByHost(app.engine.reader, host);
  if (realm) noteOrganization(app, realm);
}
