/** Types that browsers display and in which no script can run. */
const shown: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  bmp: "image/bmp",
  heic: "image/heic",
  ico: "image/x-icon",
  mp4: "video/mp4",
  m4v: "video/mp4",
  webm: "video/webm",
  ogv: "video/ogg",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  aac: "audio/aac",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  wav: "audio/wav",
  flac: "audio/flac",
  weba: "audio/webm",
  txt: "text/plain",
  log: "text/plain",
  md: "text/plain",
  diff: "text/plain",
  patch: "text/plain",
};

/** Types that are only downloaded, because a browser could run scripts in some of them. */
const downloaded: Record<string, string> = {
  html: "text/html",
  htm: "text/html",
  svg: "image/svg+xml",
  xml: "application/xml",
  xhtml: "application/xhtml+xml",
  js: "text/javascript",
  mjs: "text/javascript",
  css: "text/css",
  pdf: "application/pdf",
  json: "application/json",
  csv: "text/csv",
  zip: "application/zip",
  gz: "application/gzip",
  tar: "application/x-tar",
};

const unknownType = "application/octet-stream";

/**
 * The type that is stored for a file. It is chosen by the file's extension from a list, and never
 * taken from the upload.
 */
export function contentTypeOf(name: string): string {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const listedType = Object.hasOwn(shown, ending)
    ? shown[ending]
    : Object.hasOwn(downloaded, ending)
      ? downloaded[ending]
      : "";
  return listedType || unknownType;
}

const shownTypes = new Set(Object.values(shown));

/** Whether a browser may display a file of this type instead of downloading it. */
export const isShown = (contentType: string) => shownTypes.has(contentType);

/**
 * The `Content-Type` header. Text is UTF-8. Scripts are sent as unknown bytes, because otherwise
 * pages of this server could load them as scripts.
 */
export function sentType(contentType: string): string {
  if (contentType === "text/javascript") return unknownType;
  return contentType.startsWith("text/") ? `${contentType}; charset=utf-8` : contentType;
}
