import type { TSchema } from "@sinclair/typebox";
import { type Endpoint, isJson } from "../core/endpoint";
import { escapeHtml, Html, html, htmlPage } from "../core/text/html";
import { parametersOf } from "./openapi";

const callers: Record<Endpoint["who"], string> = {
  anyone: "anyone",
  spectator: "every account; without one, where the organization is open to the web",
  user: "every account",
  nonGuest: "every account but guests",
  administrator: "administrators",
  owner: "owners",
};

/** Incoming webhook bots may use only endpoints that are declared for them. */
const kinds: Record<Endpoint["callers"], string> = {
  all: "",
  people: ", but not for bots",
  bots: ", if it is a bot",
  writers: ", incoming webhooks too",
};

function typeName(schema: TSchema): string {
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (schema["enum"]) return schema["enum"].map((word: string) => JSON.stringify(word)).join(" | ");
  if (schema["anyOf"]) return schema["anyOf"].map(typeName).join(" | ");
  if (schema["type"] === "array") return `(${typeName(schema["items"] ?? {})})[]`;
  return schema["type"] ?? "any JSON";
}

const row = (name: string, place: string, schema: TSchema, remark: string) =>
  `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}</td><td><code>${escapeHtml(typeName(schema))}</code></td>` +
  `<td>${remark}</td></tr>`;

const table = (rows: string[], none: string) =>
  rows.length > 0 ? `<table>${rows.join("")}</table>` : `<p>${none}</p>`;

function answerOf({ output }: Endpoint): string {
  if (!isJson(output))
    return `<p>Answers no JSON: ${output.contentTypes.map(escapeHtml).join(", ")}.</p>`;
  const required = new Set(output.required);
  const rows = Object.entries(output.properties).map(([name, schema]) =>
    row(name, "answer", schema, required.has(name) ? "" : "sometimes"),
  );
  return table(rows, "Answers that it is done.");
}

function section(endpoint: Endpoint): string {
  const rows = parametersOf(endpoint).map(({ name, place, required, schema }) =>
    row(name, place, schema, required ? "required" : ""),
  );
  return (
    `<section><h2><b>${endpoint.method}</b> ${escapeHtml(endpoint.path)}</h2>` +
    `<p>${escapeHtml(endpoint.summary)} For ${callers[endpoint.who]}${kinds[endpoint.callers]}.</p>` +
    `${table(rows, "No parameters.")}${answerOf(endpoint)}</section>`
  );
}

/** A page that lists all endpoints with their parameters, for people. */
export function referencePage(endpoints: Endpoint[]): Html {
  const sorted = [...endpoints].sort((a, b) => a.path.localeCompare(b.path));
  const sections = new Html(sorted.map(section).join(""));
  const main = html`<h1>API</h1><p>All paths are below <code>/api/v1</code>. Requests are signed with HTTP Basic authentication:
e-mail address and API key. The same as <a href="/api/v1/openapi.json">OpenAPI</a>. <a href="/connect">Back</a>.</p>${sections}`;
  return htmlPage("chatd API", main, "en");
}
