import type { CDPSession, Page } from "playwright-core";

/** A place of a page, in pixels. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** A key as the protocol of the browser's developer tools describes it. */
interface Key {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  readonly text?: string;
}

function keyNamed(key: string): Key {
  if (key === "Escape") return { key, code: key, windowsVirtualKeyCode: 27 };
  if (key === "Enter") return { key, code: key, windowsVirtualKeyCode: 13, text: "\r" };
  const letter = key.toUpperCase();
  const code = `Key${letter}`;
  return { key, code, windowsVirtualKeyCode: letter.charCodeAt(0), text: key };
}

function press(session: CDPSession, name: string): Promise<unknown>[] {
  const { text = "", ...key } = keyNamed(name);
  return [
    session.send("Input.dispatchKeyEvent", { type: "keyDown", text, ...key }),
    session.send("Input.dispatchKeyEvent", { type: "keyUp", ...key }),
  ];
}

const click = (session: CDPSession, place: Place): Promise<unknown>[] =>
  (["mousePressed", "mouseReleased"] as const).map((type) =>
    session.send("Input.dispatchMouseEvent", { type, button: "left", clickCount: 1, ...place }),
  );

/** An address that nothing else asks for. */
const path = "/keys-at-once";

/**
 * Presses a key or clicks, and presses further keys while the page is still busy with that. So the
 * page gets them before anything that it puts off, as when somebody types fast on a slow machine.
 */
export async function actAtOnce(page: Page, first: string | Place, ...keys: string[]) {
  const session = await page.context().newCDPSession(page);
  const pressed: Promise<unknown>[] = [];
  await page.route(`**${path}`, async (route) => {
    pressed.push(...keys.flatMap((key) => press(session, key)));
    // The answer shows that the browser has passed the keys on.
    await session.send("Browser.getVersion");
    await route.fulfill();
  });
  await page.evaluate(keepBusyOnce, path);
  await Promise.all(typeof first === "string" ? press(session, first) : click(session, first));
  await Promise.all(pressed);
  await page.unroute(`**${path}`);
  await session.detach();
}

/** Has the page do nothing in the next key press or click until an address answers. */
function keepBusyOnce(address: string) {
  const ends = new AbortController();
  const wait = () => {
    ends.abort();
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.send();
  };
  for (const type of ["keydown", "pointerdown"])
    addEventListener(type, wait, { capture: true, signal: ends.signal });
}
