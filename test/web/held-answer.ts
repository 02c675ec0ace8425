import type { Page } from "playwright-core";

/**
 * Has the page wait with the first answer from an address that has a part, as the server gives it
 * now; where a text is given, with the first that has it. Answers how to wait until that has come,
 * and how to let the page have it. Requests that are under way already are not held.
 */
export async function holdAnswer(page: Page, part: string, text = "") {
  const asked = page.waitForResponse(
    async (response) =>
      response.url().includes(part) && (text === "" || (await response.text()).includes(text)),
  );
  await page.evaluate(holdFirst, [part, text] as const);
  return {
    asked: async () => void (await (await asked).finished()),
    letGo: () => page.evaluate(() => void dispatchEvent(new Event("answer"))),
  };
}

function holdFirst([part, text]: readonly [string, string]) {
  const ask = window.fetch.bind(window);
  let isHeld = false;
  const askSlowly = async (...asked: Parameters<typeof ask>) => {
    const answer = await ask(...asked);
    if (isHeld || !answer.url.includes(part)) return answer;
    if (text !== "" && !(await answer.clone().text()).includes(text)) return answer;
    isHeld = true;
    // A body that is still unread would wait in the browser, and its request would not end.
    const body = await answer.blob();
    await new Promise((go) => addEventListener("answer", go, { once: true }));
    return new Response(body, answer);
  };
  window.fetch = Object.assign(askSlowly, ask);
}
