import { signal } from "@preact/signals";
import { notify, reasonOf } from "./notices";

interface Wish {
  readonly isOn: boolean;
  /** Whether the server has agreed, and its event alone is missing. */
  readonly isAgreed: boolean;
}

/** Things that are on or off by the person's choice, each by a key. */
export interface Switches {
  /** Whether one is on: as it was wished, or else as the server has told. */
  isOn(key: string, isTold: boolean): boolean;
  /** Keys of those that are wished to be on. */
  keysOn(): readonly string[];
  /** Wishes that one is on or off; puts it back and tells why where the server refuses. */
  wish(key: string, isOn: boolean): Promise<void>;
  /** The server has told how one is. */
  told(key: string, isOn: boolean): void;
  /** The server has told how all are now. */
  toldAll(): void;
}

/**
 * Switches that show at once what the person wishes. Wishes for one thing go out one after the
 * other, and those in between that were changed again never do.
 */
export function switches(ask: {
  send(key: string, isOn: boolean): Promise<unknown>;
  /** Whether the server's events have told it already. */
  isTold(key: string): boolean | undefined;
}): Switches {
  const wishes = signal<ReadonlyMap<string, Wish>>(new Map());
  const underWay = new Set<string>();
  const forget = (key: string) => {
    const others = new Map(wishes.value);
    others.delete(key);
    wishes.value = others;
  };
  const keep = (key: string, wish: Wish) => {
    wishes.value = new Map(wishes.value).set(key, wish);
  };
  /** Sends the wish for a key, and those that come meanwhile. */
  const send = async (key: string) => {
    for (let sent: boolean | undefined; ; ) {
      const wish = wishes.value.get(key);
      if (wish === undefined) return;
      if (wish.isOn === sent) {
        if (ask.isTold(key) === sent) forget(key);
        else keep(key, { isOn: sent, isAgreed: true });
        return;
      }
      await ask.send(key, wish.isOn);
      sent = wish.isOn;
    }
  };
  return {
    isOn: (key, isTold) => wishes.value.get(key)?.isOn ?? isTold,
    keysOn: () => [...wishes.value].filter(([, { isOn }]) => isOn).map(([key]) => key),
    async wish(key, isOn) {
      keep(key, { isOn, isAgreed: false });
      if (underWay.has(key)) return;
      underWay.add(key);
      try {
        await send(key);
      } catch (error) {
        forget(key);
        notify(reasonOf(error));
      } finally {
        underWay.delete(key);
      }
    },
    told(key, isOn) {
      const wish = wishes.value.get(key);
      if (wish?.isAgreed === true && wish.isOn === isOn) forget(key);
    },
    toldAll() {
      wishes.value = new Map([...wishes.value].filter(([, { isAgreed }]) => !isAgreed));
    },
  };
}
