import sodium from "libsodium-wrappers";
import type { Person } from "../world";

await sodium.ready;

/**
 * Facts that a device of a mobile client gives about itself to the relay, which alone can read
 * them.
 */
interface Registration {
  token: string;
  token_kind: "fcm" | "apns";
  timestamp: number;
}

interface PushRequest {
  token_id: string;
  fcm_priority?: string;
  http_headers?: Record<string, unknown>;
  payload: { push_key_id: number; encrypted_data: string; aps?: unknown };
}

/** State of the relay: well, without an entry for this server, or broken. */
type Health = "well" | "strange" | "broken";

/**
 * The service that takes notifications to mobile devices, on loopback: as the protocol describes
 * it, with libsodium's boxes.
 */
export class PushRelay {
  health: Health = "well";
  /** Refusal of registrations. */
  refusal: { status: number; code: string } | undefined;
  /** The tokens of devices by what their servers call them. */
  readonly tokens = new Map<string, Registration>();
  /** Requests that have arrived for each device, by its token. */
  readonly arrived = new Map<string, PushRequest[]>();
  requests = 0;
  /** Servers that have registered, by their ids. */
  readonly servers = new Map<string, { key: string; hostname: string; contact: string }>();
  /** Organizations that servers have told of. */
  realms: { uuid: string; host: string; [name: string]: unknown }[] = [];
  /** Whether new keys of servers count, but the answers are lost. */
  losesAnswersToNewKeys = false;
  /** Promise that it waits for before it takes anything, once it has read it. */
  hold: Promise<void> | undefined;
  private readonly keys = sodium.crypto_box_keypair();
  private server = this.listen(0);
  private readonly port = Number(this.server.port);

  constructor(private readonly credentials = "kitchen:secret of the kitchen") {}

  private listen(port: number) {
    return Bun.serve({ hostname: "127.0.0.1", port, fetch: (request) => this.answer(request) });
  }

  get flags(): Record<string, string> {
    const [id = "", key = ""] = this.credentials.split(":");
    return {
      push_relay_url: `http://127.0.0.1:${this.port}`,
      push_relay_id: id,
      push_relay_key: key,
    };
  }

  get publicKey(): string {
    return sodium.to_base64(this.keys.publicKey, sodium.base64_variants.ORIGINAL);
  }

  /** Nobody listens any more. */
  async stop() {
    await this.server.stop(true);
  }

  restart() {
    this.server = this.listen(this.port);
  }

  private async answer(request: Request): Promise<Response> {
    this.requests++;
    await this.hold;
    const path = new URL(request.url).pathname;
    if (this.health === "broken") return new Response("out of order", { status: 500 });
    if (path === "/api/v1/remotes/server/register")
      return this.registerServer(new URLSearchParams(await request.text()));
    if (this.health === "strange" || !this.knows(request.headers.get("authorization"))) {
      return Response.json(
        { result: "error", code: "INVALID_ZULIP_SERVER", msg: "Not registered" },
        { status: 401 },
      );
    }
    if (path === "/api/v1/remotes/push/e2ee/register")
      return this.register(new URLSearchParams(await request.text()));
    if (path === "/api/v1/remotes/push/e2ee/notify") return this.notify(await request.json());
    if (path === "/api/v1/remotes/server/analytics/status")
      return Response.json({ result: "success", msg: "", last_realm_count_id: 0 });
    if (path === "/api/v1/remotes/server/analytics") {
      const form = new URLSearchParams(await request.text());
      this.realms = JSON.parse(form.get("realms") ?? "");
      return Response.json({ result: "success", msg: "" });
    }
    return new Response("", { status: 404 });
  }

  private knows(authorization: string | null): boolean {
    const registered = [...this.servers].map(([id, { key }]) => `${id}:${key}`);
    const known = [this.credentials, ...registered];
    return known.some((one) => authorization === `Basic ${Buffer.from(one).toString("base64")}`);
  }

  private registerServer(form: URLSearchParams): Response {
    const [id = "", key = "", hostname = "", contact = "", next] = [
      "zulip_org_id",
      "zulip_org_key",
      "hostname",
      "contact_email",
      "new_org_key",
    ].map((name) => form.get(name) ?? undefined);
    const refused = (code: string, status: number) =>
      Response.json({ result: "error", code, msg: `refused: ${code}` }, { status });
    const there = this.servers.get(id);
    if (id.length !== 36 || [key, next ?? key].some((one) => one.length !== 64))
      return refused("BAD_REQUEST", 400);
    if (there && there.key !== key) return refused("INVALID_ZULIP_SERVER_KEY", 401);
    const others = [...this.servers].filter(([other]) => other !== id);
    if (others.some(([, server]) => server.hostname === hostname))
      return refused("HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR", 400);
    // A new key counts only for a server that it knows.
    this.servers.set(id, { key: there ? (next ?? key) : key, hostname, contact });
    if (this.losesAnswersToNewKeys && next !== undefined) return new Response("", { status: 502 });
    return Response.json({ result: "success", msg: "", created: there === undefined });
  }

  private register(form: URLSearchParams): Response {
    const refused = (code: string) =>
      Response.json({ result: "error", code, msg: "no" }, { status: 400 });
    if (this.refusal) return refused(this.refusal.code);
    if (form.get("bouncer_public_key") !== this.publicKey)
      return refused("INVALID_BOUNCER_PUBLIC_KEY");
    try {
      const sealed = Buffer.from(form.get("encrypted_push_registration") ?? "", "base64");
      const opened = sodium.crypto_box_seal_open(sealed, this.keys.publicKey, this.keys.privateKey);
      this.tokens.set(form.get("token_id") ?? "", JSON.parse(Buffer.from(opened).toString()));
    } catch {
      return refused("BAD_REQUEST");
    }
    return Response.json({ result: "success", msg: "" });
  }

  private notify({ push_requests: requests }: { push_requests: PushRequest[] }): Response {
    const gone = requests
      .filter(({ token_id }) => !this.tokens.has(token_id))
      .map(({ token_id }) => token_id);
    for (const request of requests) {
      const device = this.tokens.get(request.token_id);
      if (device)
        this.arrived.set(device.token, [...(this.arrived.get(device.token) ?? []), request]);
    }
    return Response.json({ result: "success", msg: "", delete_token_ids: gone });
  }
}

let count = 0;

/**
 * A mobile client on a device of somebody's: it has a key of its own, and opens what arrives with
 * libsodium.
 */
export class MobileDevice {
  deviceId = 0;
  pushKeyId = ++count;
  private key = sodium.crypto_secretbox_keygen();
  tokenNumber = ++count;

  constructor(
    readonly person: Person,
    readonly relay: PushRelay,
    readonly tokenKind: "fcm" | "apns" = "fcm",
  ) {}

  get token() {
    return `token ${this.tokenNumber}`;
  }

  /** Name that the server has for the token: eight bytes that follow from it. */
  get tokenId() {
    return Buffer.from(sodium.crypto_generichash(16, this.token, null).subarray(0, 8)).toString(
      "base64",
    );
  }

  get pushKey() {
    return Buffer.concat([Buffer.from([0x31]), this.key]).toString("base64");
  }

  keyParameters = () => ({ push_key: this.pushKey, push_key_id: this.pushKeyId });

  tokenParameters() {
    const registration = {
      token: this.token,
      token_kind: this.tokenKind,
      timestamp: Math.floor(Date.now() / 1000),
    };
    const publicKey = sodium.from_base64(this.relay.publicKey, sodium.base64_variants.ORIGINAL);
    const sealed = sodium.crypto_box_seal(JSON.stringify(registration), publicKey);
    return {
      token_kind: this.tokenKind,
      token_id: this.tokenId,
      bouncer_public_key: this.relay.publicKey,
      encrypted_push_registration: Buffer.from(sealed).toString("base64"),
    };
  }

  async signUp(): Promise<this> {
    const { status, body } = await this.person.post("/register_client_device");
    if (status !== 200) throw new Error(`the device was refused: ${JSON.stringify(body)}`);
    this.deviceId = body.device_id;
    return this;
  }

  register = (
    parameters: Record<string, unknown> = { ...this.keyParameters(), ...this.tokenParameters() },
  ) => this.person.post("/mobile_push/register", { device_id: this.deviceId, ...parameters });

  renewKey() {
    this.key = sodium.crypto_secretbox_keygen();
    this.pushKeyId = ++count;
  }

  /** Notifications that have arrived, opened with the device's key, as they came. */
  received() {
    return (this.relay.arrived.get(this.token) ?? []).map(({ payload, ...how }) => {
      const bytes = Buffer.from(payload.encrypted_data, "base64");
      const nonceBytes = sodium.crypto_secretbox_NONCEBYTES;
      const opened = sodium.crypto_secretbox_open_easy(
        bytes.subarray(nonceBytes),
        bytes.subarray(0, nonceBytes),
        this.key,
      );
      return {
        ...how,
        push_key_id: payload.push_key_id,
        data: JSON.parse(Buffer.from(opened).toString()),
      };
    });
  }

  /** Contents of its notifications, without the rest. */
  told = () => this.received().map(({ data }) => data);
}

/** A device that the relay knows. */
export async function registeredDevice(
  pass: (seconds: number) => Promise<void>,
  person: Person,
  relay: PushRelay,
  kind: "fcm" | "apns" = "fcm",
): Promise<MobileDevice> {
  const device = await new MobileDevice(person, relay, kind).signUp();
  const { status, body } = await device.register();
  if (status !== 200) throw new Error(`push was refused: ${JSON.stringify(body)}`);
  await pass(0);
  return device;
}
