import { type Static, Type } from "@sinclair/typebox";
import type { Context } from "../core/context";
import { record } from "../core/params";
import { perServer } from "../core/per-server";
import { featureLevel, protocolVersion } from "../core/version";
import { renderDescription } from "../markdown/render";
import { realmPicture } from "../realm/assets";
import { hasPublicAccess } from "../realm/queries";
import { parseRealmSettings } from "../realm/settings";

export const GetServerSettings = record({});
export const ServerSettings = record({
  authentication_methods: Type.Record(Type.String(), Type.Boolean()),
  external_authentication_methods: Type.Array(Type.Unknown(), {
    maxItems: 0,
    description: "Ways to sign in with an account elsewhere: chatd has none.",
  }),
  zulip_version: Type.String({
    description: "Version of Zulip that clients may take the server for.",
  }),
  zulip_merge_base: Type.String(),
  zulip_feature_level: Type.Integer(),
  service_feature_level: Type.Integer({ description: "`zulip_feature_level` by another name." }),
  push_notifications_enabled: Type.Boolean(),
  is_incompatible: Type.Boolean({
    description: "Whether the client is too old for the server: none is.",
  }),
  email_auth_enabled: Type.Boolean(),
  require_email_format_usernames: Type.Boolean(),
  realm_uri: Type.String({ description: "`realm_url` by its older name." }),
  realm_url: Type.String(),
  realm_name: Type.String(),
  realm_icon: Type.String({
    description: "Address of the icon; without a host it is on this server.",
  }),
  realm_description: Type.String({ description: "HTML." }),
  realm_web_public_access_enabled: Type.Boolean(),
});

/** Whether a server gives API keys without a password, as a server with a fixture does. */
export const devSignIn = perServer(() => ({ isOpen: false }));

/** Ways to sign in, by the names that older clients look for. */
const authenticationMethods = {
  password: true,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  apple: false,
  google: false,
  saml: false,
  "openid connect": false,
};

/**
 * The description of an organization without one, which clients of the protocol show before
 * sign-in.
 */
const undescribed = "The coolest place in the universe.";

/**
 * Facts that a client requests before sign-in: the server, the organization, and the ways to sign
 * in. The level has two names; see `docs/design.md` section 3.
 */
export async function getServerSettings({
  app,
  realm,
  url,
}: Context): Promise<Static<typeof ServerSettings>> {
  const { description } = parseRealmSettings(realm.settings);
  return {
    authentication_methods: { ...authenticationMethods, dev: devSignIn.of(app).isOpen },
    external_authentication_methods: [],
    zulip_version: protocolVersion,
    zulip_merge_base: protocolVersion,
    zulip_feature_level: featureLevel,
    service_feature_level: featureLevel,
    push_notifications_enabled: app.config.pushRelayUrl !== undefined,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_uri: url,
    realm_url: url,
    realm_name: realm.name,
    realm_icon: realmPicture(realm, "icon").url,
    realm_description: renderDescription(description || undescribed),
    realm_web_public_access_enabled: hasPublicAccess({ app, realm }),
  };
}
