import { expect, test } from "bun:test";
import { renderMarkdown } from "../../src/markdown/render";
import { readCredentials } from "../cli/chatd";
import { Client } from "../support/client";
import { serveOrganization, setupMilliseconds } from "./session";

test(
  "The executable renders long texts, code and formulas on a thread of its own, which is in it",
  async () => {
    const { credentials, server } = await serveOrganization();
    const { users } = readCredentials(credentials);
    const apiKey = users.find(({ email }) => email === "alice@example.com")?.api_key ?? "";
    const alice = new Client(server.site, "localhost", { email: "alice@example.com", apiKey });
    const formulas = Array.from(
      { length: 40 },
      (_, index) => `$$x_{${index}}^2 + \\frac{a}{b}$$`,
    ).join(" and ");
    const text = `${formulas}\n\`\`\`javascript\n${"const a = f(g(h(i)));\n".repeat(100)}\`\`\``;
    for (const content of [text, `${text} again`]) {
      const { status, body } = await alice.post("/messages/render", { content });
      expect([status, body.rendered]).toEqual([200, renderMarkdown(content).html]);
    }
    expect(server.log()).not.toContain("rendering_thread_lost");
    expect(await server.stop()).toBe(0);
  },
  setupMilliseconds,
);
