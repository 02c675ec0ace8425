import { expect, test } from "bun:test";
import { keptMax, latestConversations } from "../../src/web/model/kept";
import type { FlaggedMessage } from "../../src/web/model/message";
import { jsonForScript, wholePage } from "../../src/web/model/whole-page";

const message = (id: number, topic: string, content = "soup"): FlaggedMessage => ({
  id,
  type: "stream",
  stream_id: 1,
  subject: topic,
  display_recipient: "general",
  timestamp: id,
  content,
  sender_id: 7,
  sender_full_name: "Alice",
  sender_email: "alice@example.com",
  sender_realm_str: "",
  avatar_url: null,
  client: "web",
  content_type: "text/html",
  is_me_message: false,
  recipient_id: 1,
  reactions: [],
  submessages: [],
  topic_links: [],
  flags: [],
});

const names = (messages: FlaggedMessage[], openedAt = new Map<string, number>()) =>
  latestConversations(messages, 7, openedAt).map(({ key }) => key);

test("the latest conversations are kept: by their newest message, or when they were opened", () => {
  const many = Array.from({ length: 30 }, (_, index) => message(index + 1, `topic ${index}`));
  expect(names(many)).toHaveLength(keptMax.conversations);
  expect(names(many)[0]).toBe("1:topic 29");
  expect(names(many)).not.toContain("1:topic 0");
  expect(names(many, new Map([["1:topic 0", 100]]))[0]).toBe("1:topic 0");
});

test("of conversations of one second those with the newest messages are kept", () => {
  const many = Array.from({ length: 30 }, (_, index) => ({
    ...message(index + 1, `topic ${index}`),
    timestamp: 1,
  }));
  expect(names(many)[0]).toBe("1:topic 29");
  expect(names(many)).not.toContain("1:topic 9");
});

test("so many messages of each are kept, and so many characters in all", () => {
  const long = Array.from({ length: 80 }, (_, index) => message(index + 1, "lunch"));
  const [lunch] = latestConversations(long, 7, new Map());
  expect(lunch?.messages).toHaveLength(keptMax.messagesOfEach);
  expect(lunch?.messages.at(-1)?.id).toBe(80);
  const huge = "x".repeat(keptMax.messageCharacters);
  expect(names([message(1, "small"), message(2, "huge", huge)])).toEqual(["1:huge"]);
});

test("the page holds its state whatever stands in it", () => {
  const page = wholePage({
    script: "/a.js",
    style: "/a.css",
    words: undefined,
    build: "1",
    userId: 7,
    csrfToken: "",
    title: '</title>"<script>',
    theme: undefined,
    snapshot: [jsonForScript(JSON.stringify("</script><!--"))],
    later: jsonForScript(JSON.stringify({ events: ["</script>"] })),
  }).join("");
  expect(page).toContain("<title>&lt;/title&gt;&quot;&lt;script&gt;</title>");
  expect(page.match(/<\/script>/g)).toHaveLength(3);
  expect(page.match(/<!--/g)).toBeNull();
});
