import { expect } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { folderOfFile } from "../../support/folder-of-file";
import { box, browserTest, stage, topicIn } from "../browser";
import { eventually, until } from "../waiting";

const on = stage({ max_file_upload_size_mib: "8" }, { pagesGoOn: true });

const files = () => topicIn(on, "files");
const uploaded = (name: string) => new RegExp(`\\[${name}\\]\\(/user_uploads/[^)]+/${name}\\)`);

const holdsFile = (page: Page, name: string) =>
  until(async () => uploaded(name).test(await box(page).inputValue()));

/** Gives the page files as a paste or a drop does. */
const give = (page: Page, how: "paste" | "drop", name: string) =>
  page.evaluate(
    ([kind, fileName]) => {
      const data = new DataTransfer();
      data.items.add(new File(["content"], fileName ?? "", { type: "text/plain" }));
      const target =
        kind === "paste" ? document.querySelector("textarea") : document.querySelector(".rail");
      const event =
        kind === "paste"
          ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
      target?.dispatchEvent(event);
    },
    [how, name],
  );

browserTest("files come by button, paste and drop, and are in the message", async () => {
  const { alice, bob } = on.world;
  const page = await on.open(alice, files());
  await box(page).fill("Three files:");
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") };
  await (await chosen).setFiles([notes]);
  await holdsFile(page, "notes.txt");
  await give(page, "paste", "pasted.txt");
  await holdsFile(page, "pasted.txt");
  await give(page, "drop", "dropped.txt");
  await holdsFile(page, "dropped.txt");
  await box(page).press("Control+Enter");
  const his = await on.open(bob, files());
  const row = his.getByRole("article").filter({ hasText: "Three files:" });
  await row.waitFor();
  for (const name of ["notes.txt", "pasted.txt", "dropped.txt"])
    await eventually(async () =>
      expect(await row.getByRole("link", { name }).getAttribute("href")).toContain(
        "/user_uploads/",
      ),
    );
});

browserTest("no file is typed into the field of a dialog", async () => {
  const page = await on.open(on.world.alice, files());
  const uploads: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") uploads.push(request.url());
  });
  const palette = page.locator("dialog.palette input");
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  const chooser = await chosen;
  await page.keyboard.press("Control+k");
  await palette.waitFor();
  // Behind a dialog nobody sees where a dropped file goes.
  await give(page, "drop", "missed.txt");
  const buffer = Buffer.from("content");
  await chooser.setFiles([{ name: "chosen.txt", mimeType: "text/plain", buffer }]);
  await holdsFile(page, "chosen.txt");
  expect(await palette.inputValue()).toBe("");
  await page.keyboard.press("Escape");
  expect(await box(page).inputValue()).not.toContain("missed.txt");
  expect(uploads.filter((url) => url.includes("/tus")).length).toBe(0);
  expect(uploads.filter((url) => url.endsWith("/user_uploads")).length).toBe(1);
  await box(page).fill("");
});

browserTest("of several files each is cancelled by itself, and the others arrive", async () => {
  const page = await on.open(on.world.alice, files());
  const names = ["one.txt", "two.txt", "three.txt", "four.txt", "five.txt"];
  const under = page.getByRole("list", { name: "Uploading" });
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files of up to 8 MiB" }).click();
  on.network.hold();
  const buffer = Buffer.from("content");
  await (await chosen).setFiles(names.map((name) => ({ name, mimeType: "text/plain", buffer })));
  await eventually(async () => expect(await under.getByRole("listitem").count()).toBe(5));
  // One that is on its way, and one that waits for its turn.
  for (const name of ["two.txt", "four.txt"]) {
    await under.getByRole("button", { name: `Cancel ${name}` }).click();
    await until(async () => !(await box(page).inputValue()).includes(name));
  }
  await eventually(async () => expect(await under.getByRole("listitem").count()).toBe(3));
  on.network.mend();
  for (const name of ["one.txt", "three.txt", "five.txt"]) await holdsFile(page, name);
  await under.waitFor({ state: "detached" });
  expect(await box(page).inputValue()).not.toMatch(/two|four|Uploading/);
  await box(page).fill("");
});

const folder = folderOfFile("chosen");

/**
 * A file of so many MiB on the disk, because playwright sends the bytes of a buffer to the browser.
 */
async function fileOf(name: string, mib: number): Promise<string> {
  const path = join(folder, name);
  await Bun.write(path, Buffer.alloc(mib * 1_048_576, "x"));
  return path;
}

/** Chooses a file of so many MiB by the button. */
async function choose(page: Page, name: string, mib: number): Promise<void> {
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chosen).setFiles(await fileOf(name, mib));
}

browserTest("a large file goes in parts and goes on after a lost connection", async () => {
  const page = await on.open(on.world.alice, files());
  let parts = 0;
  page.on("request", (request) => {
    if (request.method() !== "PATCH") return;
    parts += 1;
    if (parts !== 3) return;
    on.network.cut();
    on.network.mend();
  });
  await choose(page, "large.bin", 6);
  await holdsFile(page, "large.bin");
  expect(parts).toBeGreaterThanOrEqual(6);
  const path = /\((\/user_uploads\/[^)]+)\)/.exec(await box(page).inputValue())?.[1] ?? "";
  const sizeOf = async (address: string) => (await (await fetch(address)).blob()).size;
  expect(await page.evaluate(sizeOf, path)).toBe(6 * 1_048_576);
  await box(page).fill("");
});

/** Does something before the fourth part of a file goes out. */
async function beforeFourthPart(page: Page, run: (route: Route) => Promise<void>): Promise<void> {
  await page.route("**/api/v1/tus/*", (route, request) =>
    request.headers()["upload-offset"] === String(3 * 1_048_576) && request.method() === "PATCH"
      ? run(route)
      : route.continue(),
  );
}

browserTest("a large file that was given up goes on where it was", async () => {
  const page = await on.open(on.world.alice, files());
  const refused = { status: 400, json: { code: "BAD_REQUEST", msg: "Not now." } };
  await beforeFourthPart(page, (route) => route.fulfill(refused));
  await choose(page, "again.bin", 6);
  await page.getByText("Not now.").waitFor();
  await page.unrouteAll();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/tus/"))
      asked.push(`${request.method()} ${request.headers()["upload-offset"] ?? ""}`);
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await holdsFile(page, "again.bin");
  const offsets = [3, 4, 5].map((mib) => `PATCH ${mib * 1_048_576}`);
  expect(asked).toEqual(["HEAD ", ...offsets]);
  await box(page).fill("");
});

browserTest("a large file goes on as soon as the network is there again", async () => {
  const page = await on.open(on.world.alice, files());
  await page.clock.install();
  let isCut = false;
  await beforeFourthPart(page, async (route) => {
    // No time passes from here on, so that no pause comes to its end.
    if (!isCut) await page.clock.pauseAt(new Date(Date.now() + 5_000));
    await (isCut ? route.continue() : route.abort("connectionreset"));
    isCut = true;
  });
  const failed = page.waitForEvent("requestfailed", (request) => request.method() === "PATCH");
  await choose(page, "online.bin", 6);
  await failed;
  await until(async () => {
    await page.evaluate(() => dispatchEvent(new Event("online")));
    return uploaded("online.bin").test(await box(page).inputValue());
  });
  // The draft with the text of the upload is deleted a moment after the box is empty.
  await page.clock.resume();
  await box(page).fill("");
  await until(async () => (await on.world.alice.get("/drafts")).body.count === 0);
});

browserTest("a large file that is cancelled is deleted on the server", async () => {
  const page = await on.open(on.world.alice, files());
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
  await beforeFourthPart(page, async () => held());
  await choose(page, "cancelled.bin", 6);
  await isHeld;
  const deleting = page.waitForResponse((one) => one.request().method() === "DELETE");
  await page.getByRole("button", { name: "Cancel cancelled.bin" }).click();
  const deleted = await deleting;
  expect(deleted.status()).toBe(204);
  const statusNow = (address: string) =>
    fetch(address, { method: "HEAD", headers: { "tus-resumable": "1.0.0" } }).then(
      ({ status }) => status,
    );
  expect(await page.evaluate(statusNow, deleted.url())).toBe(404);
  await box(page).fill("");
});

browserTest(
  "a file that is too large is refused before it is sent, and one can be cancelled",
  async () => {
    const page = await on.open(on.world.alice, files());
    await choose(page, "huge.bin", 9);
    await page.getByText("huge.bin is too large: the limit is 8 MiB.").waitFor();
    await eventually(async () => expect(await box(page).inputValue()).toBe(""));
    on.network.hold();
    await choose(page, "slow.bin", 1);
    await until(async () => (await box(page).inputValue()).includes("Uploading slow.bin"));
    await box(page).press("Control+Enter");
    await page.getByText("A file is still uploading").waitFor();
    await page.getByRole("button", { name: "Cancel slow.bin" }).click();
    await until(async () => !(await box(page).inputValue()).includes("slow.bin"));
    on.network.mend();
    await box(page).fill("");
  },
);

browserTest(
  "what is pasted from other pages becomes Markdown, an address over words a link",
  async () => {
    const page = await on.open(on.world.alice, files());
    const paste = (forms: Record<string, string>) =>
      page.evaluate((given) => {
        const data = new DataTransfer();
        for (const [type, text] of Object.entries(given)) data.setData(type, text);
        document
          .querySelector("textarea")
          ?.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
          );
      }, forms);
    await box(page).focus();
    await paste({
      "text/plain": "bold and here",
      "text/html":
        '<b>bold</b> and <a href="https://example.com/">here</a><img src=x onerror="document.title=1"><script>document.title=2</script>',
    });
    await eventually(async () =>
      expect(await box(page).inputValue()).toBe("**bold** and [here](https://example.com/)"),
    );
    // The handler in it was never to run: the page's policy has told of it.
    expect(on.complaints.splice(0)).toEqual([expect.stringContaining("inline event handler")]);
    expect(await page.title()).not.toMatch(/^[12]$/);
    await box(page).fill("see this");
    await box(page).press("Control+a");
    await paste({ "text/plain": "https://example.com/x" });
    await eventually(async () =>
      expect(await box(page).inputValue()).toBe("[see this](https://example.com/x)"),
    );
    await box(page).fill("");
  },
);

/** Pastes files of so many MiB. */
const pasteSizes = (page: Page, sizes: Record<string, number>) =>
  page.evaluate((given) => {
    const data = new DataTransfer();
    for (const [name, mib] of Object.entries(given))
      data.items.add(new File([new Uint8Array(mib * 1_048_576 + 1)], name));
    document
      .querySelector("textarea")
      ?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
  }, sizes);

browserTest(
  "a file that was copied in a file manager comes, although its name does too",
  async () => {
    const page = await on.open(on.world.alice, files());
    const paste = (name: string, plain: string, html = "") =>
      page.evaluate(
        ([fileName = "", text = "", form = ""]) => {
          const data = new DataTransfer();
          data.items.add(new File(["content"], fileName));
          data.setData("text/plain", text);
          if (form !== "") data.setData("text/html", form);
          const event = { clipboardData: data, bubbles: true, cancelable: true };
          return !document
            .querySelector("textarea")
            ?.dispatchEvent(new ClipboardEvent("paste", event));
        },
        [name, plain, html],
      );
    await box(page).focus();
    expect(await paste("one.txt", "one.txt")).toBe(true);
    await holdsFile(page, "one.txt");
    expect(await paste("two.txt", "file:///home/alice/two.txt\r\n")).toBe(true);
    await holdsFile(page, "two.txt");
    // A table comes with a picture of itself: its words are meant.
    const table = "<table><tr><td>1</td><td>2</td></tr></table>";
    expect(await paste("image.png", "1\t2", table)).toBe(true);
    await until(async () => (await box(page).inputValue()).includes("1 2"));
    expect(await box(page).inputValue()).not.toContain("image.png");
    await box(page).fill("");
  },
);

browserTest("what is pasted into code stays as it is", async () => {
  const page = await on.open(on.world.alice, files());
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(async () => {
    const as = (type: string, text: string) => ({ [type]: new Blob([text], { type }) });
    const html = "<pre><code>let <b>x</b>;</code></pre>";
    const forms = { ...as("text/plain", "let x;"), ...as("text/html", html) };
    await navigator.clipboard.write([new ClipboardItem(forms)]);
  });
  await box(page).fill("```js\n\n```");
  await box(page).press("ArrowUp");
  await box(page).press("Control+v");
  await eventually(async () => expect(await box(page).inputValue()).toBe("```js\nlet x;\n```"));
  await box(page).fill("");
  await box(page).press("Control+v");
  await eventually(async () => expect(await box(page).inputValue()).toBe("```\nlet x;\n```"));
  await box(page).fill("");
});

browserTest("each file that is too large is told of while the others arrive", async () => {
  const page = await on.open(on.world.alice, files());
  await box(page).focus();
  await pasteSizes(page, { "first.bin": 9, "small.bin": 0, "second.bin": 8 });
  await holdsFile(page, "small.bin");
  const told = page.getByText(/(first|second).bin is too large: the limit is 8 MiB./);
  expect(await told.count()).toBe(2);
  await page.getByRole("button", { name: "Try again" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Cancel first.bin" }).click();
  await eventually(async () => expect(await told.count()).toBe(1));
  await box(page).press("Control+Enter");
  await page.getByRole("article").getByRole("link", { name: "small.bin" }).waitFor();
  await told.waitFor({ state: "detached" });
});

browserTest("a folder that is dropped is told of, and the file beside it arrives", async () => {
  const page = await on.open(on.world.alice, files());
  await box(page).waitFor();
  const [inner, file] = [join(folder, "holiday"), join(folder, "beach.txt")];
  await mkdir(inner);
  await Bun.write(file, "sand");
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [inner, file], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 600, y: 300, data });
  await page.getByText("holiday is a folder: attach the files in it.").waitFor();
  await holdsFile(page, "beach.txt");
  expect(await box(page).inputValue()).not.toContain("holiday");
  await box(page).fill("");
});

browserTest("a file that was refused is named when its message is to be sent", async () => {
  const page = await on.open(on.world.alice, files());
  const full = { code: "BAD_REQUEST", msg: "No space is left." };
  await page.route("**/user_uploads", (route) => route.fulfill({ status: 400, json: full }));
  await give(page, "paste", "refused.txt");
  await page.getByText("No space is left.").waitFor();
  await box(page).press("Control+Enter");
  await page.getByText("refused.txt was not uploaded: try again, or cancel it.").waitFor();
  // A writer who has taken its line out sends the message without the file.
  await box(page).fill("Without it");
  await box(page).press("Control+Enter");
  await page.getByRole("article").filter({ hasText: "Without it" }).locator("time").waitFor();
  await page.getByText("No space is left.").waitFor({ state: "detached" });
});

browserTest("a file that a reload has broken off is told of, and comes anew", async () => {
  const page = await on.open(on.world.alice, files());
  await page.route("**/user_uploads", () => undefined);
  await give(page, "paste", "broken.txt");
  await until(async () => (await box(page).inputValue()).includes("Uploading broken.txt"));
  await page.reload();
  await until(async () => (await box(page).inputValue()).includes("Uploading broken.txt"));
  await page.unroute("**/user_uploads");
  await box(page).press("Control+Enter");
  await page.getByText("broken.txt is not being uploaded in this tab").waitFor();
  await give(page, "paste", "broken.txt");
  await holdsFile(page, "broken.txt");
  await box(page).press("Control+Enter");
  await page.getByRole("article").getByRole("link", { name: "broken.txt" }).waitFor();
});

browserTest("a file that is dropped where no box is goes nowhere", async () => {
  const page = await on.open(on.world.alice, "#inbox");
  await give(page, "drop", "astray.txt");
  await page.goto("https://chat.example.com/#drafts");
  await page.getByText("No drafts.").waitFor();
});

browserTest("a newer server waits until the files of a text have arrived", async () => {
  const { alice, bob } = on.world;
  const page = await on.open(alice, files());
  await page.clock.install();
  let beginnings = 0;
  page.on("domcontentloaded", () => {
    beginnings += 1;
  });
  const isLetGo = Promise.withResolvers<void>();
  await page.route("**/user_uploads", async (route) => {
    await isLetGo.promise;
    await route.continue();
  });
  await give(page, "paste", "patient.txt");
  await until(async () => (await box(page).inputValue()).includes("Uploading patient.txt"));
  await page.evaluate(() => {
    document.querySelector('meta[name="build"]')?.setAttribute("content", "older");
  });
  await bob.say("general", "files", "Of another build");
  await page.getByRole("article").filter({ hasText: "Of another build" }).waitFor();
  await page.clock.runFor(100_000);
  expect(beginnings).toBe(0);
  isLetGo.resolve();
  await holdsFile(page, "patient.txt");
  const isAnew = page.waitForEvent("domcontentloaded");
  await page.clock.runFor(100_000);
  await isAnew;
  await holdsFile(page, "patient.txt");
  await box(page).fill("");
});
