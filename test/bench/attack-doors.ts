import { deflateSync } from "node:zlib";
import { type Attack, ask, type Strike } from "./attack";

const largeBody = `content=${"a".repeat(1_000_000)}`;
const wrongAuthorization = `Basic ${Buffer.from(`nobody@example.com:${"x".repeat(32)}`).toString("base64")}`;
/**
 * So many requests that a stranger has no right to any more, in a second: this stays a flood that
 * one machine makes.
 */
const refusedPerSecond = 500;

/** Waits for the place of each request in an even pace. */
function paced(perSecond: number, strike: Strike): Strike {
  let nextMs = performance.now();
  return async () => {
    nextMs = Math.max(nextMs + 1000 / perSecond, performance.now() - 100);
    await Bun.sleep(Math.max(0, nextMs - performance.now()));
    return strike();
  };
}

/** The answer without what tells to wait: these requests are made because they are refused. */
const unbound =
  (strike: Strike): Strike =>
  async () => {
    const response = await strike();
    return new Response(response.body, { status: 200 });
  };

/**
 * Somebody without an account sends large bodies with a wrong key, and asks for drawn pictures and
 * for what is refused.
 */
export const strangers: Attack = async (scene) => {
  let drawn = 0;
  const drawing: Strike = () => {
    const seed = String(drawn++).padStart(32, "0");
    return ask(scene, "GET", `/user_avatars/1/generated/${seed}-medium.png`, "");
  };
  const pretend: Strike = () =>
    ask(scene, "POST", "/api/v1/messages", wrongAuthorization, largeBody);
  const overLimit = () => ask(scene, "GET", "/api/v1/server_settings", "");
  return [
    pretend,
    pretend,
    unbound(paced(20, pretend)),
    drawing,
    drawing,
    unbound(paced(refusedPerSecond, overLimit)),
  ];
};

function crc(type: string, data: Buffer): Buffer {
  const part = Buffer.alloc(12 + data.length);
  part.writeUInt32BE(data.length, 0);
  part.write(type, 4, "latin1");
  data.copy(part, 8);
  part.writeUInt32BE(Bun.hash.crc32(part.subarray(4, 8 + data.length)), 8 + data.length);
  return part;
}

/** A black PNG of a bit for each pixel: small as a file, large when it is decoded. */
function blackPng(width: number, height: number): Blob {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [crc("IHDR", head), crc("IDAT", rows), crc("IEND", Buffer.alloc(0))];
  return new Blob([Buffer.concat([signature, ...chunks])], { type: "image/png" });
}

/**
 * A member uploads pictures with as many pixels as are taken, square and long, as avatars and as
 * files.
 */
export const largePictures: Attack = async (scene) => {
  const [attacker, other] = scene.others;
  const pictures = [blackPng(4_898, 4_898), blackPng(1_500_000, 16), blackPng(16, 1_500_000)];
  let turn = 0;
  const upload =
    (path: string, authorization = ""): Strike =>
    () => {
      const form = new FormData();
      form.set("file", pictures[turn++ % pictures.length] ?? new Blob(), "picture.png");
      return ask(scene, "POST", path, authorization, form);
    };
  const avatar = "/api/v1/users/me/avatar";
  return [
    upload(avatar, attacker?.authorization),
    upload(avatar, attacker?.authorization),
    upload(avatar, other?.authorization),
    upload("/api/v1/user_uploads", attacker?.authorization),
  ];
};
