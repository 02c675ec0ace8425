/* The parts of a service worker's scope that ours uses, because the types of the DOM lack them. */

export interface ExtendableEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null;
}

interface ClickEvent extends ExtendableEvent {
  readonly notification: Notification;
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface WordEvent extends ExtendableEvent {
  readonly data: unknown;
  readonly ports: readonly MessagePort[];
}

/** A tab of the site. */
export interface Tab {
  readonly url: string;
  readonly visibilityState: DocumentVisibilityState;
  readonly focused: boolean;
  focus(): Promise<unknown>;
  postMessage(word: unknown): void;
}

interface WorkerEvents {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  message: WordEvent;
  push: PushEvent;
  notificationclick: ClickEvent;
}

export interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly location: { readonly origin: string };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly Tab[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof WorkerEvents>(
    name: Name,
    listener: (event: WorkerEvents[Name]) => void,
  ): void;
}
