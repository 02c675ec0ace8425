import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { loadPart } from "../net/build";
import { notify } from "../store/notices";
import { words } from "../words/words";
import { lateParts } from "./late";

/*
 * Parts of the client that are seldom opened. Each is a file of `rare/`, loaded when it is wanted
 * first. `main.tsx` names them, and each of them imports all of the second file, because the
 * bundler would otherwise cut the first two files into pieces.
 */

/** The files of `rare/` by name. */
interface RareParts {
  readonly cards: typeof import("../rare/cards");
  readonly lightbox: typeof import("../rare/lightbox");
  readonly later: typeof import("../rare/later");
  readonly settings: typeof import("../rare/settings");
  readonly administration: typeof import("../rare/administration");
  readonly notifications: typeof import("../rare/notifications");
  readonly report: typeof import("../rare/report");
  readonly widgets: typeof import("../rare/widgets");
  readonly offline: typeof import("../rare/offline");
}

type PartName = keyof RareParts;
export type RareLoaders = { readonly [Name in PartName]: () => Promise<RareParts[Name]> };
type Loaded = { [Name in PartName]?: RareParts[Name] };

let loaders: RareLoaders | undefined;
const loaded = signal<Readonly<Loaded>>({});

/** Sets the functions that load the parts. */
export function provideRareParts(given: RareLoaders): void {
  loaders = given;
}

/** Parts that are being loaded, because many rows may request one together. */
const underWay = new Map<PartName, Promise<unknown>>();

/**
 * A part when it is loaded; undefined if it cannot be loaded. Then the person is told, unless
 * nobody waits for it.
 */
export async function rarePart<Name extends PartName>(
  name: Name,
  isWaitedFor = true,
): Promise<RareParts[Name] | undefined> {
  if (!loaded.peek()[name] && loaders) {
    const loading = underWay.get(name) ?? loadAnew(name, loaders, isWaitedFor);
    underWay.set(name, loading);
    await loading;
    underWay.delete(name);
  }
  return loaded.peek()[name];
}

async function loadAnew<Name extends PartName>(
  name: Name,
  from: RareLoaders,
  isWaitedFor: boolean,
): Promise<void> {
  try {
    const part = await loadPart(from[name], isWaitedFor ? "wanted" : "background");
    if ("style" in part) await linkStyle(part.style);
    const parts: Loaded = { ...loaded.peek() };
    parts[name] = part;
    loaded.value = parts;
  } catch {
    if (isWaitedFor) notify(words.actions.partIsGone);
  }
}

const linked = new Map<string, Promise<unknown>>();

/**
 * Links a style sheet and waits until it is loaded, because nothing may be drawn without its style.
 */
function linkStyle(address: string): Promise<unknown> {
  const before = linked.get(address);
  if (before) return before;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  link.onload = resolve;
  link.onerror = () => {
    linked.delete(address);
    link.remove();
    reject(new Error(`${address} was not loaded.`));
  };
  document.head.append(link);
  linked.set(address, promise);
  return promise;
}

/**
 * Calls a function with a part when it is loaded, if the person still waits for it. Keys that are
 * pressed meanwhile are held back for it. The person is told if it cannot be loaded.
 */
export async function withRarePart<Name extends PartName>(
  name: Name,
  run: (part: RareParts[Name]) => void,
): Promise<void> {
  const late = lateParts.peek();
  const there = loaded.peek()[name];
  const coming = there ? undefined : rarePart(name);
  const part = there ?? (await (late && coming ? late.awaitedByKeys(coming) : coming));
  if (part) run(part);
}

interface RareProps<Name extends PartName> {
  name: Name;
  /** Draws something of the part. */
  draw(part: RareParts[Name]): ComponentChildren;
  /** Shown until the part is loaded. */
  children?: ComponentChildren;
}

/** Draws something of a part as soon as the part is loaded. */
export function Rare<Name extends PartName>({ name, draw, children }: RareProps<Name>) {
  const part = loaded.value[name];
  useEffect(() => {
    void rarePart(name);
  }, [name]);
  return <>{part ? draw(part) : children}</>;
}
