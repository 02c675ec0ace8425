import { eq } from "drizzle-orm";
import type { App } from "../../core/context";
import { perServer } from "../../core/per-server";

const factName = "vapid_key";
const purpose = "VAPID key of the server";
const algorithm = { name: "ECDSA", namedCurve: "P-256" };
/** Push services refuse tokens that are valid for more than a day (RFC 8292 section 2). */
const tokenSeconds = 12 * 3600;

/** The key pair that identifies this server to push services. */
interface VapidKey {
  /** An uncompressed point of P-256, in base64url, for subscriptions of browsers. */
  publicKey: string;
  privateKey: CryptoKey;
}

const ownKey = perServer<{ key?: Promise<VapidKey> | undefined }>(() => ({}));

/**
 * The key pair of the installation, shared by all nodes. It is made on first use, and stored
 * sealed.
 */
export function loadVapidKey(app: App): Promise<VapidKey> {
  const holder = ownKey.of(app);
  const key = holder.key ?? readKey(app);
  holder.key = key;
  key.catch(() => {
    holder.key = undefined;
  });
  return key;
}

async function readKey(app: App): Promise<VapidKey> {
  const stored = (await findFact(app)) ?? (await makeFact(app));
  const jwk: JsonWebKey = JSON.parse(app.secrets.open(purpose, stored));
  const privateKey = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"]);
  const coordinates = [jwk.x ?? "", jwk.y ?? ""].map((text) => Buffer.from(text, "base64url"));
  return {
    publicKey: Buffer.concat([Buffer.from([4]), ...coordinates]).toString("base64url"),
    privateKey,
  };
}

async function findFact({ engine }: App): Promise<string | undefined> {
  const { serverFacts } = engine.schema;
  const [row] = await engine.reader.db
    .select()
    .from(serverFacts)
    .where(eq(serverFacts.name, factName));
  return row?.value;
}

/** Makes and stores a key pair. When two nodes do so at once, the first pair is used. */
async function makeFact(app: App): Promise<string> {
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const jwk = await crypto.subtle.exportKey("jwk", pair.privateKey);
  const value = app.secrets.seal(purpose, JSON.stringify(jwk));
  const { serverFacts } = app.engine.schema;
  await app.engine.write(
    0,
    async ({ db }) =>
      void (await db.insert(serverFacts).values({ name: factName, value }).onConflictDoNothing()),
    () => undefined,
  );
  return (await findFact(app)) ?? value;
}

/**
 * Proof of the sender for a push service (RFC 8292): the header `Authorization` for the given
 * address. `contact` is a URL of the server's operator, `now` in UNIX seconds.
 */
export async function vapidAuthorization(
  { publicKey, privateKey }: VapidKey,
  endpoint: string,
  contact: string,
  now: number,
): Promise<string> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { aud: new URL(endpoint).origin, exp: now + tokenSeconds, sub: contact };
  const signed = `${part({ typ: "JWT", alg: "ES256" })}.${part(claims)}`;
  const signature = await crypto.subtle.sign(
    { name: "ECDSA", hash: "SHA-256" },
    privateKey,
    Buffer.from(signed),
  );
  return `vapid t=${signed}.${Buffer.from(signature).toString("base64url")}, k=${publicKey}`;
}
