import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "bun";
import { readCredentials } from "../cli/chatd";
import { requireTool } from "../support/processes/tools";
import { root } from "../support/root";
import { findClient, serveOrganization, setupMilliseconds } from "./session";
import { prepareOpenApiTools } from "./setup";

/*
 * The document that the executable serves, in the hands of others: a validator, two makers of
 * clients, and a tester.
 */

const stepMilliseconds = 180_000;
const hasTools = requireTool("python3") && requireTool("npm");
const tools = hasTools ? findClient("tools for OpenAPI", prepareOpenApiTools) : undefined;

let served: Awaited<ReturnType<typeof serveOrganization>>;
let folder: string;
let alice: string[];

/**
 * Runs a program to its end, without a home of its own; throws with all that it said when it fails.
 */
async function run(command: string[], cwd = folder): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: folder, PYTHONPATH: folder };
  const child = spawn(command, {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: stepMilliseconds,
  });
  const [output, complaints] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0)
    throw new Error(`${command.join(" ")} failed:\n${output}${complaints}`);
  return output;
}

const python = join(tools?.python ?? "", "python");
/**
 * A program of the virtual environment, whose first line names the folder that it was installed in
 * at first.
 */
const pythonTool = (name: string) => [python, join(tools?.python ?? "", name)];
const npmTool = (name: string) => join(tools?.npm ?? "", "node_modules/.bin", name);
/**
 * The compiler of this checkout, which takes a seventh of the processor of the one in JavaScript.
 */
const tsc = join(root, "node_modules/.bin/tsc");

const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
];

/** Operations after which the owner who fuzzes could not go on, and the poll, which waits. */
const endings = [
  "deleteUsersMe",
  "deleteUsersUserIdOrEmail",
  "getEvents",
  "postRealmDeactivate",
  "postUsersMeApiKeyRegenerate",
];

const personOf = (name: string) => {
  const person = readCredentials(served.credentials).users.find(({ email }) =>
    email.startsWith(name),
  );
  if (!person) throw new Error(`${name} has no credentials`);
  return person;
};

const expected = {
  people: expect.arrayContaining(["Alice", "Bob", "Olga Owner"]),
  sent: expect.any(Number),
  read: expect.arrayContaining([
    { id: expect.any(Number), content: "Made of the document", topic: "clients" },
  ]),
  isAll: true,
  refusal: "BAD_REQUEST",
};

describe.skipIf(tools === undefined)("the OpenAPI document", () => {
  beforeAll(async () => {
    served = await serveOrganization([
      "--requests-per-minute-per-key",
      "0",
      "--requests-per-minute-per-user",
      "0",
    ]);
    folder = join(served.folder, "openapi");
    mkdirSync(folder);
    const answer = await fetch(`${served.server.site}/api/v1/openapi.json`);
    writeFileSync(join(folder, "openapi.json"), await answer.text());
    const { email, api_key } = personOf("alice");
    alice = [email, api_key];
  }, setupMilliseconds);
  afterAll(() => served.server.stop());

  test("is valid", async () => {
    const output = await run([python, "-m", "openapi_spec_validator", "openapi.json"]);
    expect(output).toContain("OK");
  });

  test(
    "makes a client in TypeScript that compiles, lists people, sends, and reads with a narrow",
    async () => {
      const client = join(folder, "typescript");
      mkdirSync(client);
      copyFileSync(join(import.meta.dir, "openapi/client.ts"), join(client, "client.ts"));
      symlinkSync(join(tools?.npm ?? "", "node_modules"), join(client, "node_modules"));
      writeFileSync(join(client, "package.json"), JSON.stringify({ type: "module" }));
      await run(
        [npmTool("openapi-typescript"), join(folder, "openapi.json"), "-o", "schema.d.ts"],
        client,
      );
      const strict = [
        "--strict",
        "--skipLibCheck",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
      ];
      const target = ["--target", "es2022", "--lib", "es2022,dom", "--types", "bun"];
      symlinkSync(join(root, "node_modules/@types"), join(client, "types"));
      await run(
        [tsc, ...strict, ...target, "--typeRoots", "types", "--outDir", "out", "client.ts"],
        client,
      );
      const output = await run(
        [process.execPath, "run", "out/client.js", served.server.site, ...alice],
        client,
      );
      expect(JSON.parse(output)).toEqual(expected);
    },
    stepMilliseconds,
  );

  test(
    "makes a client in Python that does the same",
    async () => {
      writeFileSync(join(folder, "made.yaml"), "post_hooks: []\n");
      const options = ["--meta", "none", "--config", "made.yaml", "--output-path", "made"];
      await run([
        ...pythonTool("openapi-python-client"),
        "generate",
        "--path",
        "openapi.json",
        ...options,
      ]);
      const script = join(import.meta.dir, "openapi/client.py");
      const output = await run([python, script, served.server.site, ...alice]);
      expect(JSON.parse(output)).toEqual(expected);
    },
    stepMilliseconds,
  );

  test(
    "declares every status and type of content that comes, as far as a fuzzer sees",
    async () => {
      const { email, api_key } = personOf("olga");
      const options = [
        "--url",
        `${served.server.site}/api/v1`,
        "--auth",
        `${email}:${api_key}`,
        "--checks",
        checks.join(","),
      ];
      const bounds = [
        "--phases",
        "fuzzing",
        "--max-examples",
        "4",
        "--seed",
        "1",
        "--request-timeout",
        "20",
      ];
      const excluded = endings.flatMap((operation) => ["--exclude-operation-id", operation]);
      const report = await run([
        ...pythonTool("schemathesis"),
        "run",
        "openapi.json",
        ...options,
        ...bounds,
        ...excluded,
      ]);
      expect(report).toMatch(/\d{3,} generated, \d{3,} passed\n/);
    },
    2 * stepMilliseconds,
  );
});
