import { expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock";
import { makeMultipart } from "../../src/files/s3-multipart";
import { makeS3Requests } from "../../src/files/s3-requests";

const keys = ["1/a", "1/b", "1/c", "1/d", "1/e"];

/** Answers lists of unfinished uploads two at a time, as a store does with 1,000. */
function answerList(request: Request): Response {
  const asked = new URL(request.url).searchParams;
  const marker = asked.get("key-marker") ?? "";
  const rest = keys.filter((key) => key > marker);
  const page = rest.slice(0, 2);
  const uploads = page.map(
    (key) => `<Upload><Key>${key}</Key><UploadId>of ${key}</UploadId></Upload>`,
  );
  const last = page.at(-1) ?? "";
  return new Response(`<ListMultipartUploadsResult>${uploads.join("")}
    <NextKeyMarker>${last}</NextKeyMarker><NextUploadIdMarker>of ${last}</NextUploadIdMarker>
    <IsTruncated>${rest.length > 2}</IsTruncated></ListMultipartUploadsResult>`);
}

test("all unfinished uploads of a store are listed, also those after its first page", async () => {
  await using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answerList });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const access = { bucket: "files", region: "here", accessKeyId: "id", secretAccessKey: "secret" };
  const multipart = makeMultipart(makeS3Requests({ endpoint, ...access }, systemClock));
  expect((await multipart.list("1/")).map(({ key }) => key)).toEqual(keys);
});
