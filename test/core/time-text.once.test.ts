import { expect, spyOn, test } from "bun:test";
import { timeText } from "../../src/core/language";
import { messageText } from "../../src/letters/plain-text";

test("a message with a thousand times is written for a mail with the formats of one", async () => {
  const locale = { language: "de", zone: "Europe/Lisbon" } as const;
  const time = '<time datetime="2027-01-01T11:00:00Z">1</time> ';
  const made = spyOn(Intl, "DateTimeFormat");
  try {
    const text = await messageText(
      `<p>${time.repeat(1_000)}</p>`,
      "https://chat.example.com",
      locale,
    );
    expect(text).toStartWith("1. Januar 2027 um 11:00 WEZ 1. Januar");
    expect(made.mock.calls.length).toBeLessThan(5);
  } finally {
    made.mockRestore();
  }
});

test("a time in a zone that is not known is told in UTC", () => {
  const locale = { language: "en", zone: "Moon/Base" } as const;
  expect(timeText(1_798_801_200, locale)).toBe("1 January 2027 at 11:00 UTC");
});
