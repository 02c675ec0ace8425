import { fieldOf, lockedPackage } from "./locked-packages";
import { run } from "./run";

/**
 * The packages that are in the executables, as a CycloneDX document in JSON: `npm sbom` reads them
 * from package-lock.json, and Bun's runtime is added, which each executable begins with. Equal for
 * equal sources: its number is made of its content, its time is the commit's.
 */
export function billOfMaterials(version: string, committedAt: string): string {
  const document: unknown = JSON.parse(
    run(["npm", "sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only"]),
  );
  if (!isDocument(document)) throw new Error("npm sbom has answered something else than before.");
  const { components, metadata, ...rest } = document;
  const own = purlOf("chatd", version);
  const whole = {
    ...rest,
    metadata: {
      ...metadata,
      timestamp: committedAt,
      component: {
        type: "application",
        name: "chatd",
        version,
        "bom-ref": own,
        purl: own,
        licenses,
      },
    },
    components: [...components.map(withoutPaths), runtimeComponent()],
    dependencies: dependenciesOf(document, own),
  };
  const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(whole)).digest("hex");
  return `${JSON.stringify({ ...whole, serialNumber: `urn:uuid:${uuidOf(hash)}` }, null, 2)}\n`;
}

const licenses = [{ license: { id: "MIT" } }];

const purlOf = (name: string, version: string) => `pkg:npm/${name}@${encodeURIComponent(version)}`;

interface Document extends Record<string, unknown> {
  metadata: Record<string, unknown>;
  components: Record<string, unknown>[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const isDocument = (value: unknown): value is Document =>
  fieldOf(value, "bomFormat") === "CycloneDX" &&
  Array.isArray(fieldOf(value, "components")) &&
  Array.isArray(fieldOf(value, "dependencies")) &&
  fieldOf(fieldOf(value, "metadata"), "component") !== undefined;

/** Paths below node_modules say nothing of an executable. */
function withoutPaths(component: Record<string, unknown>): Record<string, unknown> {
  const { properties: _properties, scope: _scope, ...rest } = component;
  return rest;
}

function runtimeComponent() {
  const { version, integrity, license } = lockedPackage("bun");
  const purl = purlOf("bun", version);
  const content = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  return {
    type: "framework",
    name: "bun",
    version,
    "bom-ref": purl,
    purl,
    description:
      "The runtime that each executable begins with, with SQLite and JavaScriptCore in it",
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: "SHA-512", content }],
    externalReferences: [{ type: "website", url: "https://bun.sh" }],
  };
}

/** The program itself has another version here than npm knows of. */
function dependenciesOf({ metadata, dependencies }: Document, own: string) {
  const former = fieldOf(metadata["component"], "bom-ref");
  const { version } = lockedPackage("bun");
  const runtime = purlOf("bun", version);
  const renamed = dependencies.map(({ ref, dependsOn }) =>
    ref === former ? { ref: own, dependsOn: [...dependsOn, runtime] } : { ref, dependsOn },
  );
  return [...renamed, { ref: runtime, dependsOn: [] }];
}

/** A UUID whose bits say that it is of no standard kind (RFC 9562, version 8). */
const uuidOf = (hash: string): string =>
  [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
