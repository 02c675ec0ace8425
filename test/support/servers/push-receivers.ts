import type { Person } from "../world";

/** Request that was posted to a receiver. */
interface Posted {
  path: string;
  headers: Headers;
  body: Buffer<ArrayBuffer>;
}

/**
 * A push service, a UnifiedPush server or an ntfy on loopback: takes what is posted, and answers as
 * the test wants.
 */
export class Receiver {
  status = 201;
  readonly posted: Posted[] = [];
  private readonly server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      this.posted.push({
        path,
        headers: request.headers,
        body: Buffer.from(await request.arrayBuffer()),
      });
      return new Response("", { status: this.status });
    },
  });
  readonly site = `http://127.0.0.1:${this.server.port}`;

  stop = () => this.server.stop(true);

  /** Posts that have arrived there, as JSON. */
  json = (path: string) =>
    this.posted.filter((one) => one.path === path).map(({ body }) => JSON.parse(body.toString()));
}

const ecdh = { name: "ECDH", namedCurve: "P-256" };

/**
 * A browser that has subscribed at a push service: it opens what arrives as RFC 8291 says, and
 * looks who has sent it.
 */
export class Browser {
  private constructor(
    readonly receiver: Receiver,
    private readonly keys: CryptoKeyPair,
    private readonly publicKey: Buffer<ArrayBuffer>,
    private readonly vapidKey: string,
    private readonly auth = crypto.getRandomValues(Buffer.alloc(16)),
  ) {}

  readonly path = `/send/${crypto.randomUUID()}`;

  static async subscribe(receiver: Receiver, vapidKey: string): Promise<Browser> {
    const keys = await crypto.subtle.generateKey(ecdh, true, ["deriveBits"]);
    const publicKey = Buffer.from(await crypto.subtle.exportKey("raw", keys.publicKey));
    return new Browser(receiver, keys, publicKey, vapidKey);
  }

  /** Parameters that the page gives to the server. */
  parameters = () => ({
    kind: "web_push",
    endpoint: `${this.receiver.site}${this.path}`,
    p256dh: this.publicKey.toString("base64url"),
    auth: this.auth.toString("base64url"),
  });

  /** Messages that have arrived, opened. Fails on what this server has not sent. */
  async told() {
    const own = this.receiver.posted.filter(({ path }) => path === this.path);
    return Promise.all(own.map((posted) => this.open(posted)));
  }

  private async open({ headers, body }: Posted) {
    await this.requireSender(headers);
    if (headers.get("content-encoding") !== "aes128gcm") throw new Error("not of RFC 8188");
    const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
    const theirs = body.subarray(21, 21 + keyLength);
    const sender = await crypto.subtle.importKey("raw", theirs, ecdh, false, []);
    const secret = await crypto.subtle.deriveBits(
      { name: "ECDH", public: sender },
      this.keys.privateKey,
      256,
    );
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.publicKey, theirs]);
    const shared = await derive(secret, this.auth, info, 32);
    const key = await derive(shared, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
    const iv = await derive(shared, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
    const opening = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
    const record = body.subarray(21 + keyLength);
    const opened = Buffer.from(
      await crypto.subtle.decrypt({ name: "AES-GCM", iv }, opening, record),
    );
    if (opened.at(-1) !== 2) throw new Error("not the last record");
    return JSON.parse(opened.subarray(0, -1).toString());
  }

  /**
   * The token of RFC 8292: signed with the key that this browser has subscribed with, for this push
   * service.
   */
  private async requireSender(headers: Headers) {
    const [, token = "", key = ""] =
      /^vapid t=([^,]+), k=(.+)$/.exec(headers.get("authorization") ?? "") ?? [];
    const [head = "", claims = "", signature = ""] = token.split(".");
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const verifying = await crypto.subtle.importKey(
      "raw",
      Buffer.from(key, "base64url"),
      algorithm,
      false,
      ["verify"],
    );
    const signed = [Buffer.from(signature, "base64url"), Buffer.from(`${head}.${claims}`)] as const;
    const isSigned = await crypto.subtle.verify(
      { name: "ECDSA", hash: "SHA-256" },
      verifying,
      ...signed,
    );
    const { aud, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
    if (
      key !== this.vapidKey ||
      !isSigned ||
      aud !== this.receiver.site ||
      !/^(mailto:|https:)/.test(sub)
    ) {
      throw new Error("somebody else has sent this");
    }
  }
}

async function derive(
  secret: ArrayBuffer | Buffer<ArrayBuffer>,
  salt: Buffer,
  info: Buffer,
  length: number,
) {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const how = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(salt),
    info: new Uint8Array(info),
  };
  return Buffer.from(await crypto.subtle.deriveBits(how, key, length * 8));
}

/** Has somebody's notifications sent to an address; answers the subscription's id. */
export async function subscribe(
  person: Person,
  parameters: Record<string, unknown>,
): Promise<number> {
  const { status, body } = await person.post("/push_subscriptions", parameters);
  if (status !== 200) throw new Error(`it was refused: ${JSON.stringify(body)}`);
  return body.id;
}

export async function browserOf(person: Person, receiver: Receiver): Promise<Browser> {
  const { body } = await person.get("/push_subscriptions");
  const browser = await Browser.subscribe(receiver, body.vapid_public_key);
  await subscribe(person, browser.parameters());
  return browser;
}
