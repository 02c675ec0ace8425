import { describe, expect, test } from "bun:test";
import { ApiError } from "../../src/core/errors";
import { isMultipart, readFields, readParts } from "../../src/http/multipart";

const type = "multipart/form-data; boundary=AaB03x";

async function* inPieces(body: Buffer, size: number) {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

interface Read {
  name: string;
  filename: string | undefined;
  content: string;
}

/** All parts of a body that arrives in pieces of a size. */
async function read(body: string | Buffer, size = 1_000_000, contentType = type): Promise<Read[]> {
  const parts: Read[] = [];
  for await (const { name, filename, chunks } of readParts(
    inPieces(Buffer.from(body), size),
    contentType,
  )) {
    const pieces: Uint8Array[] = [];
    for await (const chunk of chunks) pieces.push(chunk);
    parts.push({ name, filename, content: Buffer.concat(pieces).toString("latin1") });
  }
  return parts;
}

/** Refusal of reading a body. */
async function refusal(body: string, contentType = type): Promise<string> {
  const outcome = await read(body, 7, contentType).catch((error: unknown) => error);
  if (outcome instanceof ApiError) return outcome.message;
  throw new Error("It was not refused.");
}

const part = (headers: string, content: string) => `--AaB03x\r\n${headers}\r\n\r\n${content}\r\n`;
const end = "--AaB03x--\r\n";
const file = (name: string, content: string) =>
  part(
    `Content-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: text/plain`,
    content,
  );

describe("a multipart body", () => {
  test("is read the same whatever the pieces that it arrives in", async () => {
    const tricky = "\r\n--AaB03\r\n--AaB03 x\r\n-\r\n\r\n--\r--AaB03x\n\r";
    const body = `preamble\r\n${part('content-disposition: FORM-DATA; name="a"', "1")}${file("x.txt", tricky)}${file("y", "")}${end}epilogue`;
    const expected = [
      { name: "a", filename: undefined, content: "1" },
      { name: "f", filename: "x.txt", content: tricky },
      { name: "f", filename: "y", content: "" },
    ];
    for (let size = 1; size <= body.length; size++)
      expect(await read(body, size)).toEqual(expected);
  });

  test("may have no parts at all, parts that nobody reads, and a quoted boundary", async () => {
    expect(await read(end)).toEqual([]);
    const names: string[] = [];
    const body = Buffer.from(file("a", "1".repeat(1_000)) + file("b", "2") + end);
    for await (const { filename, chunks } of readParts(
      inPieces(body, 100),
      'multipart/form-data; boundary="AaB03x"',
    )) {
      names.push(filename ?? "");
      for await (const _ of chunks) break;
    }
    expect(names).toEqual(["a", "b"]);
  });

  test("names its files in every way that clients write", async () => {
    const named = async (disposition: string) => {
      const [only] = await read(part(`Content-Disposition: form-data; ${disposition}`, "x") + end);
      return [only?.name, only?.filename];
    };
    expect(await named('name="f"; filename="a b.txt"')).toEqual(["f", "a b.txt"]);
    expect(await named("name=f; filename=plain.txt")).toEqual(["f", "plain.txt"]);
    expect(await named('name="f"; filename="say %22hi%22.txt"')).toEqual(["f", 'say "hi".txt']);
    expect(await named('name="f"; filename="say \\"hi\\".txt"')).toEqual(["f", 'say "hi".txt']);
    expect(await named(`name="f"; filename="x"; filename*=UTF-8''na%C3%AFve.txt`)).toEqual([
      "f",
      "naïve.txt",
    ]);
    expect(await named(`name="f"; filename="x"; filename*=UTF-8''%zz`)).toEqual(["f", "x"]);
    expect(await named('name="f"; filename=""')).toEqual(["f", ""]);
    expect(await named('name="naïve"; filename="日本.txt"')).toEqual(["naïve", "日本.txt"]);
    expect(await named('name="f"')).toEqual(["f", undefined]);
  });

  test("that is not well formed or was cut off is refused", async () => {
    for (const body of [
      "",
      "--AaB03x",
      file("x", "1"),
      `${file("x", "1")}--AaB03x`,
      file("x", "1").slice(0, -12),
    ]) {
      expect(await refusal(body)).toContain("ends before");
    }
    const broken = [
      `--AaB03xyz\r\n\r\n${end}`,
      part("no colon", "1") + end,
      part("A: b", "1") + end,
    ];
    for (const body of [
      ...broken,
      `--AaB03x\r\nA: ${"b".repeat(20_000)}\r\n\r\n${end}`,
      `--AaB03x\r\n\r\n${end}`,
    ]) {
      expect(await refusal(body)).toContain("could not be read");
    }
    expect(await refusal(file("x", "1").repeat(101) + end)).toContain("at most 100 parts");
    for (const header of [
      "multipart/form-data",
      "multipart/form-data; boundary=",
      `multipart/form-data; boundary=${"x".repeat(300)}`,
    ]) {
      expect(await refusal(end, header)).toContain("could not be read");
    }
  });

  test("is told by its type, in any case", () => {
    for (const is of [
      "multipart/form-data; boundary=x",
      "Multipart/Form-Data",
      " multipart/form-data;x",
    ]) {
      expect(isMultipart(is)).toBe(true);
    }
    for (const is of ["multipart/form-datax", "multipart/mixed; boundary=x", "text/plain", ""]) {
      expect(isMultipart(is)).toBe(false);
    }
  });
});

describe("a form that is in memory whole", () => {
  const fields = (body: string, contentType = type) => [
    ...readFields(Buffer.from(body), contentType),
  ];
  const field = (name: string, content: string) =>
    part(`Content-Disposition: form-data; name="${name}"`, content);

  test("is read like one that arrives, without its files and what has no name", async () => {
    const body = `preamble\r\n${field("a", "1")}${file("x.txt", "soup")}${field("b", "")}${part("Content-Disposition: form-data", "x")}${field("naïve", "日本")}${end}epilogue`;
    const arrived = (await read(body)).filter(
      ({ name, filename }) => name !== "" && filename === undefined,
    );
    expect(fields(body).map(([name]) => name)).toEqual(arrived.map(({ name }) => name));
    expect(fields(body)).toEqual([
      ["a", "1"],
      ["b", ""],
      ["naïve", "日本"],
    ]);
    expect(fields(end)).toEqual([]);
  });

  test("keeps lines of its content that only begin like a boundary, and lets blanks stand behind one", () => {
    const content = "one\r\n--AaB03xyz\r\n--AaB03x two\r\nthree";
    expect(fields(field("a", content) + end)).toEqual([["a", content]]);
    expect(
      fields(
        `${field("a", "1")}--AaB03x \t\r\nContent-Disposition: form-data; name="b"\r\n\r\n2\r\n${end}`,
      ),
    ).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });

  test("that is not well formed or was cut off is refused", () => {
    for (const body of [
      "",
      "no parts",
      "--AaB03x",
      field("a", "1"),
      field("a", "1").slice(0, -12),
      part("no colon", "1") + end,
    ]) {
      expect(() => fields(body)).toThrow(ApiError);
    }
    expect(() => fields(end, "multipart/form-data")).toThrow(ApiError);
    expect(() =>
      fields(
        part(`Content-Disposition: form-data; name="a"\r\nX: ${"x".repeat(20_000)}`, "1") + end,
      ),
    ).toThrow(ApiError);
  });
});
