import { expect, test } from "bun:test";
import { fitted } from "../../src/devices/push/payload";
import { plainText } from "../../src/devices/push/plain-text";
import { vapidAuthorization } from "../../src/devices/push/vapid";
import { encryptForBrowser, requireWebPushKeys } from "../../src/devices/push/web-push";
import { fastestRun } from "../support/cpu-time";

test("A message is encrypted as the example of RFC 8291, section 5", async () => {
  const keys = {
    p256dh:
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  const ephemeral = {
    salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"),
    privateKey: Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"),
  };
  const text = "When I grow up, I want to be a watermelon";
  const body = await encryptForBrowser(keys, Buffer.from(text), ephemeral);
  expect(Buffer.from(body).toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("Keys count with padding and without, and one of padding alone is refused at once", async () => {
  const p256dh =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
  const auth = "BTBZMqHH6r4Tts7J_aSIgg";
  expect(requireWebPushKeys({ p256dh: `${p256dh}=`, auth: `${auth}==` })).toEqual({ p256dh, auth });
  const hostile = { p256dh: `${"=".repeat(100_000)}x`, auth };
  const refuse = () => expect(() => requireWebPushKeys(hostile)).toThrow("Invalid `p256dh`");
  expect(await fastestRun(refuse, 200)).toBeLessThan(200);
});

test.each([
  ["<p>Soup is <strong>ready</strong> &amp; hot</p>", "Soup is ready & hot"],
  ["<p>&#64;<strong>all</strong> it&#x27;s &#128154; &#0; &#xd800;</p>", "@all it's 💚 � �"],
  ["<p>one<br>\ntwo</p>\n<p>three</p>", "one\ntwo\nthree"],
  ['<p>&lt;b&gt; <img alt=":leek:" class="emoji" src="/x.png" title="leek"></p>', "<b> :leek:"],
  [
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>End</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>All die</p>\n</div></div>',
    "End\n(…)",
  ],
  [
    '<p>see <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>x<span>2</span></span></span></span> there</p>',
    "see x^2 there",
  ],
  [`<p>${"ä".repeat(300)}</p>`, `${"ä".repeat(200)}…`],
])("The words of %j", (html, words) => {
  expect(plainText(html)).toBe(words);
});

test("Where a message came to very many, less of it is shown: what carries notifications takes 4 KiB", () => {
  const recipient_user_ids = Array.from({ length: 200 }, (_, i) => 1_000_000 + i);
  const sender_avatar_url = `https://${"x".repeat(250)}.example.com/avatar`;
  const sender = { sender_full_name: "🥬".repeat(100), sender_avatar_url };
  const payload = { content: "🥬".repeat(200), ...sender, recipient_user_ids };
  const shown = fitted(payload);
  expect(Math.ceil((Buffer.byteLength(JSON.stringify(shown)) + 40) / 3) * 4).toBeLessThan(4_000);
  expect(shown.content).toMatch(/^(🥬){100,}…$/u);
  expect(shown).toMatchObject({ recipient_user_ids });
  expect(fitted({ content: "soup" })).toEqual({ content: "soup" });
});

test("The server's token is for one push service, and for less than a day, as RFC 8292 asks", async () => {
  const { privateKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    false,
    ["sign"],
  );
  const now = 1_800_000_000;
  const endpoint = "https://push.example.com:8443/send/secret?x=1";
  const header = await vapidAuthorization(
    { publicKey: "key", privateKey },
    endpoint,
    "mailto:a@example.com",
    now,
  );
  const [, head = "", claims = "", key] =
    /^vapid t=([\w-]+)\.([\w-]+)\.[\w-]+, k=(.+)$/.exec(header) ?? [];
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  expect(read(head)).toEqual({ typ: "JWT", alg: "ES256" });
  const expected = {
    aud: "https://push.example.com:8443",
    sub: "mailto:a@example.com",
    exp: now + 12 * 3600,
  };
  expect([read(claims), key]).toEqual([expected, "key"]);
});
