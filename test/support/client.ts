import { noteExchange } from "./api/api-check";

/** JSON from the wire, which tests may read freely. */
type Json = ReturnType<typeof JSON.parse>;

/** Answer of a server. */
export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

export type WireEvent = Json;

type Parameters = Record<string, unknown>;

/** A parameter as clients send it: texts as they are, everything else as JSON. */
const encode = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function encodeAll(parameters: Parameters): URLSearchParams {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, encode(value)]));
}

/** The parameters of a body that a test has written itself. */
const parametersIn = (body: RequestInit["body"]): Parameters =>
  typeof body === "string" || body instanceof URLSearchParams
    ? Object.fromEntries(new URLSearchParams(body))
    : {};

/**
 * A client that uses the server over HTTP; without credentials, a client that has not signed in.
 */
export class Client {
  constructor(
    readonly site: string,
    readonly host: string,
    readonly credentials?: { email: string; apiKey: string },
  ) {}

  get = (path: string, parameters: Parameters = {}) => this.ask("GET", path, parameters);
  post = (path: string, parameters: Parameters = {}) => this.ask("POST", path, parameters);
  put = (path: string, parameters: Parameters = {}) => this.ask("PUT", path, parameters);
  patch = (path: string, parameters: Parameters = {}) => this.ask("PATCH", path, parameters);
  delete = (path: string, parameters: Parameters = {}) => this.ask("DELETE", path, parameters);

  /** Sends one request; `path` is below `/api/v1`. */
  async ask(
    method: string,
    path: string,
    parameters: Parameters = {},
    init: RequestInit = {},
  ): Promise<Answer> {
    const encoded = encodeAll(parameters);
    const hasBody = method !== "GET" && method !== "HEAD";
    const query = hasBody || encoded.size === 0 ? "" : `?${encoded}`;
    const response = await this.open(`/api/v1${path}${query}`, {
      method,
      ...(hasBody ? { body: encoded } : {}),
      ...init,
    });
    const { status } = response;
    // Some answers redirect to a picture, about which the protocol says nothing.
    const isPicture = response.headers.get("content-type")?.startsWith("image/") ?? false;
    const text = isPicture ? "" : await response.text();
    const body: Json = text === "" ? {} : JSON.parse(text);
    if (text !== "")
      await noteExchange({
        method,
        path,
        parameters: { ...parameters, ...parametersIn(init.body) },
        status,
        body,
      });
    return { status, body, headers: response.headers };
  }

  /**
   * Opens an address below the root with the client's credentials, like a browser that follows a
   * link.
   */
  open(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { host: this.host, ...this.authorization(), ...init.headers };
    return fetch(`${this.site}${path}`, { ...init, headers });
  }

  /** Opens an event queue. */
  async register(parameters: Parameters = {}): Promise<Queue> {
    const { status, body } = await this.post("/register", {
      client_capabilities: {
        notification_settings_null: true,
        bulk_message_deletion: true,
        empty_topic_name: true,
        stream_typing_notifications: true,
        user_settings_object: true,
      },
      apply_markdown: true,
      ...parameters,
    });
    if (status !== 200) throw new Error(`register was refused: ${JSON.stringify(body)}`);
    return new Queue(this, body);
  }

  private authorization(): Record<string, string> {
    if (!this.credentials) return {};
    const { email, apiKey } = this.credentials;
    return { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}` };
  }
}

/**
 * An event queue that is read like clients do: each poll acknowledges the events of the one before.
 */
export class Queue {
  lastEventId: number;

  constructor(
    readonly client: Client,
    readonly state: Json,
  ) {
    this.lastEventId = state.last_event_id;
  }

  get id(): string {
    return this.state.queue_id;
  }

  /** Events that have arrived since the last call, without waiting. */
  async events(): Promise<WireEvent[]> {
    return this.take({ dont_block: true });
  }

  /** Waits for something to arrive. */
  async next(): Promise<WireEvent[]> {
    return this.take({});
  }

  /** One poll with its answer. */
  poll(parameters: Parameters = {}, init: RequestInit = {}): Promise<Answer> {
    const { id, lastEventId } = this;
    return this.client.ask(
      "GET",
      "/events",
      { queue_id: id, last_event_id: lastEventId, ...parameters },
      init,
    );
  }

  private async take(parameters: Parameters): Promise<WireEvent[]> {
    const { status, body } = await this.poll(parameters);
    if (status !== 200) throw new Error(`the poll was refused: ${JSON.stringify(body)}`);
    const events: WireEvent[] = body.events;
    if (events.length > 0) this.lastEventId = events.at(-1).id;
    return events;
  }
}
