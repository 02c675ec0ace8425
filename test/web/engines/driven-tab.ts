import { evaluating, patienceMilliseconds, type Tab, until } from "./tab";

/** Steps of an input device, in the words that WebDriver and WebDriver BiDi share. */
type Step = Record<string, unknown> & { type: string };

/** A device and its steps. */
export interface InputSource {
  type: "key" | "pointer" | "wheel";
  id: string;
  actions: Step[];
}

/** The way to a tab of a browser: all that the two protocols do in different words. */
export interface Wire {
  go(address: string): Promise<void>;
  reload(): Promise<void>;
  /** Computes an expression in the page, which promises a string. */
  compute(expression: string): Promise<string>;
  perform(sources: InputSource[]): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

/** A tab that is driven by WebDriver or WebDriver BiDi, with nobody signed in. */
export interface DrivenTab extends Tab {
  go(address: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** Types into the element that has the focus. */
  type(text: string): Promise<void>;
  /** Holds keys down, one after the other, and lets them go. */
  press(...keys: (keyof typeof keyValues)[]): Promise<void>;
  /** Notes from now on what goes wrong in the page, also after a reload. */
  listen(): Promise<void>;
  /** Errors of the page that were noted, and what its policy has blocked. */
  complaints(): Promise<string[]>;
  close(): Promise<void>;
}

/** Keys that are no characters, as WebDriver numbers them. */
const keyValues = { Control: "\uE009", Enter: "\uE007" } as const;

export function drivenTab(wire: Wire): DrivenTab {
  const evaluate = evaluating(wire.compute);
  const keys = (actions: Step[]) => wire.perform([{ type: "key", id: "keyboard", actions }]);
  // WebKit does nothing for a wheel that is to be turned as it was turned last: each is a new one.
  let turns = 0;
  const tab: DrivenTab = {
    evaluate,
    go: wire.go,
    async reload() {
      await wire.reload();
      await evaluate(noteComplaints);
    },
    // A browser's own button passes over places to which no click of a person has led.
    back: () => evaluate(() => history.back()),
    async resize(width, height) {
      await wire.resize(width, height);
      await until(tab, (wanted) => innerWidth === wanted, width);
    },
    async wheel(pixels) {
      const middle = await evaluate(() => ({ x: innerWidth >> 1, y: innerHeight >> 1 }));
      const turn = { type: "scroll", ...middle, deltaX: 0, deltaY: pixels, duration: 0 };
      turns += 1;
      await wire.perform([{ type: "wheel", id: `wheel ${turns}`, actions: [turn] }]);
    },
    async click(selector) {
      const actions: Step[] = [
        { type: "pointerMove", ...(await evaluate(middleOf, selector)), duration: 0 },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await wire.perform([{ type: "pointer", id: "mouse", actions }]);
    },
    type: (text) =>
      keys(
        [...text].flatMap((value) => [
          { type: "keyDown", value },
          { type: "keyUp", value },
        ]),
      ),
    press: (...names) =>
      keys([
        ...names.map((name) => ({ type: "keyDown", value: keyValues[name] })),
        ...names.toReversed().map((name) => ({ type: "keyUp", value: keyValues[name] })),
      ]),
    listen: () => evaluate(noteComplaints),
    complaints: () =>
      evaluate((): string[] => JSON.parse(sessionStorage.getItem("complaints") ?? "[]")),
    close: wire.close,
  };
  return tab;
}

/** The middle of an element in the page. */
function middleOf(selector: string): { x: number; y: number } {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  if (!box) throw new Error(`${selector} is not there.`);
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
}

/** Writes down what goes wrong in a page from now on; a reload leaves what is written. */
function noteComplaints(): void {
  const note = (complaint: unknown) => {
    const earlier: string[] = JSON.parse(sessionStorage.getItem("complaints") ?? "[]");
    sessionStorage.setItem("complaints", JSON.stringify([...earlier, String(complaint)]));
  };
  window.addEventListener("error", ({ message }) => note(message));
  window.addEventListener("unhandledrejection", ({ reason }) => note(reason));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    note(`${violatedDirective} blocked ${blockedURI}`),
  );
}

/** A browser starts slowly where many tests run beside it. */
export const startMilliseconds = 60_000;

/** Ends what takes longer than anything in a browser should. */
export const withPatience = <Result>(
  work: Promise<Result>,
  what: string,
  milliseconds = patienceMilliseconds,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const refuse = () => reject(new Error(`${what} took too long.`));
    const timer = setTimeout(refuse, milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
