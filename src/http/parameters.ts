import { badRequest, tooLarge } from "../core/errors";
import { isTooDeep } from "../core/json-depth";

/**
 * All parameters of a request by name: path, query and body together, for every method. Bodies may be urlencoded,
 * multipart or a JSON object; of a name that is given twice the last counts, and the body before the query. Without a
 * size for it, the body is left alone.
 */
export function readParameters(
  request: Request,
  pathParameters: Readonly<Record<string, string>>,
  bodySizeBytesMax: number | undefined,
): Map<string, string> | Promise<Map<string, string>> {
  const parameters = new Map<string, string>();
  const queryStart = request.url.indexOf("?");
  if (queryStart >= 0) addUrlEncoded(parameters, request.url.slice(queryStart + 1).replace(/#.*$/s, ""));
  if (bodySizeBytesMax === undefined || !hasBody(request)) return addOfPath(parameters, pathParameters);
  return addBody(parameters, request, bodySizeBytesMax).then(() => addOfPath(parameters, pathParameters));
}

/** To ask for the body itself makes a stream of it, which takes longer than to read it. */
function hasBody(request: Request): boolean {
  const declared = request.headers.get("content-length");
  return declared === null ? request.body !== null : declared !== "0";
}

function addOfPath(parameters: Map<string, string>, pathParameters: Readonly<Record<string, string>>) {
  for (const name in pathParameters) parameters.set(name, pathParameters[name] ?? "");
  return parameters;
}

/** The same as `URLSearchParams` makes of it, in a third of the time. */
function addUrlEncoded(parameters: Map<string, string>, text: string) {
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const end = pair.indexOf("=");
    if (end < 0) parameters.set(decodeUrl(pair), "");
    else parameters.set(decodeUrl(pair.slice(0, end)), decodeUrl(pair.slice(end + 1)));
  }
}

function decodeUrl(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // What is not UTF-8, or no pair of digits, is taken as far as it goes.
    return new URLSearchParams(`text=${text}`).get("text") ?? "";
  }
}

async function addBody(parameters: Map<string, string>, request: Request, sizeBytesMax: number) {
  const type = (request.headers.get("content-type") ?? "").toLowerCase();
  requireSize(request, sizeBytesMax);
  if (type.startsWith("multipart/form-data")) {
    await addMultipart(parameters, await readBytes(request, sizeBytesMax), request.headers.get("content-type") ?? "");
    return;
  }
  const isSized = request.headers.has("content-length");
  const text = isSized ? await request.text() : (await readBytes(request, sizeBytesMax)).toString();
  if (text === "") return;
  if (type.startsWith("application/json")) addJson(parameters, text);
  else addUrlEncoded(parameters, text);
}

/** What says that it is larger is refused before any of it is taken in. */
function requireSize(request: Request, sizeBytesMax: number) {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > sizeBytesMax) throw tooLarge(sizeBytesMax);
}

/** Reads a body as it is, whatever it is, from its bytes as they arrive. Refuses one that is too large (REQUEST_TOO_LARGE). */
export async function readBody(
  request: Request,
  chunks: AsyncIterable<Uint8Array>,
  sizeBytesMax: number,
): Promise<Buffer> {
  requireSize(request, sizeBytesMax);
  return joinBytes(chunks, sizeBytesMax);
}

/** Reads a body whose size is not known, up to a size. */
const readBytes = ({ body }: Request, sizeBytesMax: number): Promise<Buffer> => joinBytes(body ?? [], sizeBytesMax);

async function joinBytes(
  arriving: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sizeBytesMax: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of arriving) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > sizeBytesMax) throw tooLarge(sizeBytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function addMultipart(parameters: Map<string, string>, bytes: Buffer, type: string) {
  try {
    const form = await new Response(new Blob([Uint8Array.from(bytes)]), {
      headers: { "content-type": type },
    }).formData();
    for (const [name, value] of form) if (typeof value === "string") parameters.set(name, value);
  } catch {
    throw badRequest("The multipart body could not be read.");
  }
}

function addJson(parameters: Map<string, string>, text: string) {
  const values = parseObject(text);
  for (const [name, value] of Object.entries(values)) {
    if (value !== null) parameters.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
}

function parseObject(text: string): object {
  if (isTooDeep(text)) throw badRequest("The body is nested too deeply.");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
  throw badRequest("The body must be a JSON object.");
}
