import type { TObject, TSchema } from "@sinclair/typebox";
import { version } from "../core/version";
import { type Endpoint, wireName } from "./endpoint";

interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  schema: TSchema;
  description?: string;
}

const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

/** Whether a parameter is sent as JSON in a text. */
const isJson = (schema: TSchema) =>
  schema["type"] !== "string" && schema["type"] !== "integer" && schema["type"] !== "boolean";

/** The parameters of an endpoint as they are on the wire. */
export function parametersOf({
  method,
  path,
  input,
  body,
}: Endpoint): (Parameter & { place: "path" | "query" | "body" })[] {
  const inPath = new Set(pathNames(path));
  return Object.entries(input.properties).map(([property, schema]) => {
    const name = wireName(property);
    const place = inPath.has(name) ? "path" : method === "GET" || body.kind === "webhook" ? "query" : "body";
    const description = isJson(schema) ? "JSON in a text" : undefined;
    return {
      name,
      in: place === "path" ? "path" : "query",
      place,
      required: isRequired(input, property),
      schema,
      description,
    };
  });
}

const isRequired = (input: TObject, property: string) => input.required?.includes(property) ?? false;

function operation(endpoint: Endpoint) {
  const parameters = parametersOf(endpoint);
  const body = parameters.filter(({ place }) => place === "body");
  const file = { type: "object", properties: { file: { type: "string", format: "binary" } }, required: ["file"] };
  const takesFile = endpoint.body.kind === "files" || endpoint.body.kind === "picture";
  const filesOnly = { "multipart/form-data": { schema: file } };
  const form = {
    "application/x-www-form-urlencoded": {
      schema: {
        type: "object",
        properties: Object.fromEntries(body.map(({ name, schema }) => [name, schema])),
        required: body.filter(({ required }) => required).map(({ name }) => name),
      },
    },
  };
  return {
    summary: endpoint.summary,
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replaceAll(/[/{}]+/g, "-").replace(/-$/, endpoint.path.endsWith("/") ? "-" : "")}`,
    security: endpoint.who === "anyone" || endpoint.body.kind === "webhook" ? [] : [{ basic: [] }],
    parameters: parameters.filter(({ place }) => place !== "body").map(({ place: _, ...parameter }) => parameter),
    ...(takesFile || body.length > 0
      ? { requestBody: { content: { ...(takesFile ? filesOnly : {}), ...(body.length > 0 ? form : {}) } } }
      : {}),
    responses: {
      200: {
        description: "Success",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Success" } } },
      },
      400: {
        description: "Refused",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

const envelope = (result: string, more: Record<string, unknown> = {}) => ({
  type: "object",
  required: ["result", "msg", ...Object.keys(more)],
  properties: { result: { const: result }, msg: { type: "string" }, ...more },
});

/** The OpenAPI description of the endpoints. */
export function openApi(endpoints: Endpoint[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "chatd", version },
    servers: [{ url: "/api/v1" }],
    paths,
    components: {
      securitySchemes: { basic: { type: "http", scheme: "basic", description: "E-mail address and API key" } },
      schemas: { Success: envelope("success"), Error: envelope("error", { code: { type: "string" } }) },
    },
  };
}
