import { upload } from "../files";
import type { World } from "../world";

/** Sends one message after the other, and now and then a file, until it is stopped. */
export function keepWriting({ alice }: World) {
  const acknowledged = new Map<number, number>();
  const files: string[] = [];
  let isEnding = false;
  let attempted = 0;
  const waiting: { number: number; go: () => void }[] = [];
  const write = async () => {
    while (!isEnding) {
      attempted += 1;
      const number = attempted;
      const file =
        number % 10 === 0 ? await upload(alice, `note-${number}.txt`, `file ${number}`) : undefined;
      const text = `loadword number ${number}${file === undefined ? "" : ` [note](${file})`}`;
      acknowledged.set(number, await alice.say("general", "load", text));
      if (file !== undefined) files.push(file);
      for (const one of waiting) if (acknowledged.size >= one.number) one.go();
    }
  };
  const ended = write();
  return {
    acknowledged,
    files,
    attempted: () => attempted,
    async reached(number: number) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ number, go: resolve });
      // If writing fails, its error is thrown and nobody continues to wait.
      if (acknowledged.size < number) await Promise.race([promise, ended]);
    },
    async stop() {
      isEnding = true;
      await ended;
    },
  };
}
