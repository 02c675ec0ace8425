/** A tab of any browser, as far as the cases that all of them run need it. */
export interface Tab {
  /**
   * Runs a function in the page and answers what it answers, by way of JSON: it sees nothing but
   * the page and its argument.
   */
  evaluate<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  evaluate<Argument, Result>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>;
  /** Turns the wheel over the middle of the page. */
  wheel(pixels: number): Promise<void>;
  /** Makes the page so wide and, with a window around it, about so high. */
  resize(width: number, height: number): Promise<void>;
  back(): Promise<void>;
  reload(): Promise<void>;
}

export const patienceMilliseconds = 20_000;
const pauseMilliseconds = 10;

/** `evaluate` of a tab, over a way to have an expression computed that promises a string. */
export function evaluating(compute: (expression: string) => Promise<string>): Tab["evaluate"] {
  return async <Argument, Result>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ) => {
    const call = `(${work})(${JSON.stringify(argument) ?? ""})`;
    const text = await compute(
      `(async () => ${call})().then((value) => JSON.stringify({ value }), (error) => JSON.stringify({ error: String(error) }))`,
    );
    const answer: { value: Result; error?: string } = JSON.parse(text);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  };
}

/** Waits until something holds in the page, whichever page is there by then. */
export async function until<Argument>(
  tab: Tab,
  holds: (argument: Argument) => boolean,
  argument: Argument,
): Promise<void> {
  const patience = AbortSignal.timeout(patienceMilliseconds);
  let why = "";
  for (;;) {
    // A page that is being left computes nothing.
    const answer = await tab.evaluate(holds, argument).catch((error) => {
      why = ` (${error})`;
      return false;
    });
    if (answer) return;
    if (patience.aborted) {
      throw new Error(`This never held for ${JSON.stringify(argument)}: ${holds}${why}`);
    }
    await Bun.sleep(pauseMilliseconds);
  }
}

/** Waits until an element is there. */
export const untilThere = (tab: Tab, selector: string): Promise<void> =>
  until(tab, (of) => document.querySelector(of) !== null, selector);

/** Waits until an element is gone. */
export const untilGone = (tab: Tab, selector: string): Promise<void> =>
  until(tab, (of) => document.querySelector(of) === null, selector);

/** Waits until a message with this text is in the document. */
export const untilMessage = (tab: Tab, text: string): Promise<void> =>
  until(
    tab,
    (of) => [...document.querySelectorAll("article")].some((row) => row.textContent.includes(of)),
    text,
  );
