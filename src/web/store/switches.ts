import { signal } from "@preact/signals";
import { notify, reasonOf } from "./notices";

interface Wish {
  readonly isOn: boolean;
  /** Whether the server has accepted the change, so that only its event is missing. */
  readonly isAgreed: boolean;
}

/** Things that a person switches on and off, each with a key. */
export interface Switches {
  /** Whether one is on: as the person has chosen, or else as the server says. */
  isOn(key: string, isTold: boolean): boolean;
  /** Keys of those that the person has switched on and that the server has not confirmed. */
  keysOn(): readonly string[];
  /**
   * Switches one on or off. If the server refuses, it is switched back, and the reason is shown.
   */
  wish(key: string, isOn: boolean): Promise<void>;
  /** To be called when the server has told the state of one. */
  told(key: string, isOn: boolean): void;
  /** To be called when the server has told the state of all. */
  toldAll(): void;
}

/**
 * Switches that show the person's choice at once. Choices for one switch are sent one after the
 * other. A waiting choice that is replaced by a newer one is never sent.
 */
export function switches(ask: {
  send(key: string, isOn: boolean): Promise<unknown>;
  /** The state according to the server's events; undefined if they have not told it. */
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
  /** Sends the choice for a key, and choices that are made meanwhile. */
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
