import type { Page } from "playwright-core";

/**
 * Has the page wait with the first answer from an address that has a part, as the server gives it
 * now. Answers how to wait until that has come, and how to let the page have it.
 */
export async function holdAnswer(page: Page, part: string) {
  const asked = page.waitForResponse((response) => response.url().includes(part));
  await page.evaluate(holdFirst, part);
  return {
    asked: async () => void (await (await asked).finished()),
    letGo: () => page.evaluate(() => void dispatchEvent(new Event("answer"))),
  };
}

function holdFirst(part: string) {
  const ask = window.fetch.bind(window);
  let isHeld = false;
  const askSlowly = async (...asked: Parameters<typeof ask>) => {
    const answer = await ask(...asked);
    if (isHeld || !answer.url.includes(part)) return answer;
    isHeld = true;
    // A body that is still unread would wait in the browser, and its request would not end.
    const body = await answer.blob();
    await new Promise((go) => addEventListener("answer", go, { once: true }));
    return new Response(body, answer);
  };
  window.fetch = Object.assign(askSlowly, ask);
}
