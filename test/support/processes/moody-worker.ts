/**
 * A thread that doubles its input, hangs at "hang", crashes at "break", and ends after it has
 * answered "leave".
 */
declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<string>) => {
  if (data === "break") throw new Error("as it was told");
  if (data === "end") process.exit(3);
  if (data !== "hang") postMessage(`${data}${data}`);
  if (data === "leave") setTimeout(() => process.exit(0), 20);
};

export {};
