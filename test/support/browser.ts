import { type Answer, Client } from "./client";

type Fields = Record<string, unknown>;

/**
 * A browser: keeps cookies by the rules of RFC 6265bis, follows no redirects, and says where a
 * request comes from.
 */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The latest header that set a cookie. */
  setCookie = "";

  constructor(
    readonly site: string,
    readonly host: string,
    /** Whether a proxy in front of the server uses https. */
    readonly isEncrypted = true,
  ) {}

  /** A copy of this browser in which another server answers for the host. */
  at(site: string): Browser {
    const browser = new Browser(site, this.host, this.isEncrypted);
    for (const [name, value] of this.cookies) browser.cookies.set(name, value);
    return browser;
  }

  get origin(): string {
    return `${this.isEncrypted ? "https" : "http"}://${this.host}`;
  }

  private headers(more: Record<string, string> = {}): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return {
      host: this.host,
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
      ...(this.isEncrypted ? { "x-forwarded-proto": "https" } : {}),
      ...(cookie === "" ? {} : { cookie }),
      ...more,
    };
  }

  /** Opens an address; redirects are returned, not followed. */
  async open(
    path: string,
    init: BunFetchRequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const headers = this.headers(init.headers);
    const response = await fetch(`${this.site}${path}`, { redirect: "manual", ...init, headers });
    for (const header of response.headers.getSetCookie()) this.keep(header);
    return response;
  }

  /** Sends a form of the server's pages, with the token of the session if there is one. */
  async submit(
    path: string,
    fields: Fields = {},
    headers: Record<string, string | undefined> = {},
  ): Promise<Response> {
    const token = await this.csrfToken();
    const sent = { ...(token === undefined ? {} : { csrf_token: token }), ...fields };
    const body = new URLSearchParams(
      Object.entries(sent).map(([name, value]) => [name, String(value)]),
    );
    const own = { origin: this.origin, "sec-fetch-site": "same-origin", ...headers };
    const given = Object.entries(own).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return this.open(path, { method: "POST", body, headers: Object.fromEntries(given) });
  }

  /** The token in the forms of the account page; undefined without a session. */
  async csrfToken(): Promise<string | undefined> {
    if (this.cookies.size === 0) return undefined;
    const page = await (await this.open("/account")).text();
    return /name="csrf_token" value="([0-9a-f]{128})"/.exec(page)?.[1];
  }

  /** The session's token without its mask. */
  async plainToken(): Promise<string> {
    const masked = Buffer.from((await this.csrfToken()) ?? "", "hex");
    const half = masked.length / 2;
    return Buffer.from(
      masked.subarray(half).map((byte, index) => byte ^ (masked[index] ?? 0)),
    ).toString("hex");
  }

  /** Headers that a script on the server's pages sends with a change. */
  async proof(): Promise<Record<string, string>> {
    const token = await this.csrfToken();
    return {
      origin: this.origin,
      "sec-fetch-site": "same-origin",
      ...(token && { "x-csrftoken": token }),
    };
  }

  /** Sends a request to the API, with the cookies. */
  api(
    method: string,
    path: string,
    parameters: Fields = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return new Client(this.site, this.host).ask(method, path, parameters, {
      headers: this.headers(headers),
    });
  }

  /** Opens an event queue in the session; answers its state. */
  async register(): Promise<Answer["body"]> {
    const { status, body } = await this.api("POST", "/register", {}, await this.proof());
    if (status !== 200) throw new Error(`register was refused: ${JSON.stringify(body)}`);
    return body;
  }

  private keep(header: string) {
    this.setCookie = header;
    const [pair = "", ...attributes] = header.split("; ");
    const name = pair.slice(0, pair.indexOf("="));
    const has = (attribute: string) => attributes.includes(attribute);
    const isBound =
      has("Secure") && has("Path=/") && !attributes.some((one) => one.startsWith("Domain"));
    if (name.startsWith("__Host-") && !(isBound && this.isEncrypted)) return;
    if (has("Max-Age=0")) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(name.length + 1));
  }
}
