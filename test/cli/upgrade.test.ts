import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { spawn, spawnSync } from "bun";
import { buildBinary } from "../clients/binary";
import { freePort } from "../support/processes/free-port";
import { buildLaterVersion, laterVersion } from "../support/processes/later-version";
import { pythonPath, requireTool } from "../support/processes/tools";
import { root } from "../support/root";
import { scratchFolder } from "../support/scratch-folder";
import { freshFolder, places, quicklyCompiled, sqlite, uncompiled } from "./chatd";

/* chatd upgrade: the executable replaces itself by another version, and goes back. */

const shared = freshFolder();
/** On the disk where it is installed by a link, because the file is large. */
function binary(): string {
  const path = join(shared, "own");
  if (!existsSync(path)) copyFileSync(buildBinary(shared), path);
  return path;
}
/**
 * A later version that migrates the data. With BREAKS in its environment it runs that shell command
 * and then fails; with LISTS_NOTHING it cannot list copies.
 */
const later = () =>
  buildLaterVersion(join(shared, "later"), [
    {
      path: "cli/admin/copy.ts",
      from: "export async function showCopies(options: CommonOptions) {",
      to: 'export async function showCopies(options: CommonOptions) {\n  if (process.env["LISTS_NOTHING"]) process.exit(70);',
    },
    {
      path: "cli/run-server.ts",
      from: "  const endings: (() => unknown)[] = [",
      to: '  const breaks = process.env["BREAKS"];\n  if (breaks) Bun.spawnSync(["sh", "-c", breaks]);\n  if (breaks && app) throw new Error("it is broken");\n  const endings: (() => unknown)[] = [',
    },
  ]);
const failing = { BREAKS: "true" };

const buildMilliseconds = 300_000;
const usualMilliseconds = 120_000;

beforeAll(() => {
  binary();
  later();
}, buildMilliseconds);

const services: string[] = [];
afterAll(() => {
  for (const folder of services) {
    const pid = Number(
      existsSync(join(folder, "pid")) && readFileSync(join(folder, "pid"), "utf8"),
    );
    try {
      if (pid > 0) process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    rmSync(folder, { recursive: true });
  }
});

/** Variables that configure chatd, and the one by which Bun ends whatever a process has started. */
const isOfTheSuite = (name: string) =>
  name.startsWith("CHATD_") || name === "BUN_FEATURE_FLAG_NO_ORPHANS";

const plainEnvironment = (): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfTheSuite(name))),
  ...uncompiled,
  // The stand-in for systemd takes the line above from services, but not this one.
  ...quicklyCompiled,
});

/** An installed chatd: an executable in a folder of its own. */
function install(path = binary()) {
  const folder = freshFolder();
  const own = join(folder, "chatd");
  linkSync(path, own);
  const run = (words: string[], env: Record<string, string> = {}, through: string[] = []) => {
    const { exitCode, stdout, stderr } = spawnSync([...through, own, ...words], {
      env: { ...plainEnvironment(), ...env },
      cwd: folder,
    });
    return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
  };
  const must = (words: string[], env: Record<string, string> = {}) => {
    const outcome = run(words, env);
    expect([outcome.code, outcome.stderr]).toEqual([0, expect.any(String)]);
    return outcome.stdout;
  };
  return { folder, own, run, must, version: () => versionOf(own) };
}

const versionOf = (path: string) =>
  spawnSync([path, "--version"], { env: plainEnvironment() }).stdout.toString().split(" ")[1];
let ownVersionRead: string | undefined;
function ownVersion(): string | undefined {
  ownVersionRead ??= versionOf(binary());
  return ownVersionRead;
}

/**
 * Puts the stand-in for systemctl into a folder of the PATH, with the interpreter that it names.
 */
function installSystemctl(folder: string) {
  symlinkSync(join(import.meta.dir, "service/systemctl.py"), join(folder, "systemctl"));
  symlinkSync(pythonPath(), join(folder, "python3"));
}

/** A service of the stand-in for systemd, which runs an installed chatd on some data. */
async function serviceOf(own: string, place: string[]) {
  // Kept until its server is ended, which other folders of this file are not.
  const folder = mkdtempSync(join(scratchFolder(), "chatd-service-"));
  services.push(folder);
  installSystemctl(folder);
  const port = await freePort();
  const words = [own, "serve", "--host", "127.0.0.1", "--port", `${port}`, ...place];
  writeFileSync(join(folder, "command"), JSON.stringify(words));
  const env = { SERVICE_FOLDER: folder, PATH: `${folder}:${process.env.PATH}` };
  const restart = () =>
    spawnSync([join(folder, "systemctl"), "restart"], { env: { ...plainEnvironment(), ...env } });
  return {
    folder,
    env,
    mustRestart: () => expect(restart().exitCode).toBe(0),
    site: `http://127.0.0.1:${port}`,
    log: () => readFileSync(join(folder, "log"), "utf8"),
  };
}

/** Whether a file may be given the right to use ports below 1024 here. */
function mayGiveRights(): boolean {
  const file = join(freshFolder(), "file");
  writeFileSync(file, "");
  const isGiven = Bun.which("setcap") !== null && giveRights(file).exitCode === 0;
  if (!isGiven) console.error("\n!!! SKIPPING a part of a test: setcap does not work here.\n");
  return isGiven;
}

const giveRights = (path: string) => spawnSync(["setcap", "cap_net_bind_service=+ep", path]);

/** Files that an upgrade has left beside the executable. */
const leftIn = (folder: string) =>
  readdirSync(folder).filter((name) => name.startsWith(".chatd-new-") || name.endsWith(".undone"));

describe.each(places)("chatd upgrade on $engine", ({ provisioned }) => {
  const begin = async () => ({ place: (await provisioned()).place, chatd: install() });

  test.skipIf(!requireTool("python3"))(
    "copies the database, replaces itself, restarts the service, and goes back with the data",
    async () => {
      const { place, chatd } = await begin();
      const service = await serviceOf(chatd.own, place);
      const out = chatd.must(["upgrade", later(), "--restart", ...place], service.env);
      expect(out).toContain(`${chatd.own} is now chatd ${laterVersion} (`);
      expect(out).toContain("The database was copied to ");
      expect(out).toContain("The service was restarted, and is ready.");
      expect([chatd.version(), versionOf(`${chatd.own}.previous`)]).toEqual([
        laterVersion,
        ownVersion(),
      ]);
      expect((await fetch(`${service.site}/readyz`)).status).toBe(200);
      const { schema, copies } = JSON.parse(
        chatd.must(["admin", "copy", "list", "--json", ...place]),
      );
      expect(copies[0].schema).toBe(schema - 1);

      const refused = chatd.run(["upgrade", "--back", "--restart", ...place], service.env);
      expect([refused.code, chatd.version()]).toEqual([1, laterVersion]);
      expect(refused.stderr).toContain("--force restores the copy of");
      const back = chatd.must(["upgrade", "--back", "--force", "--restart", ...place], service.env);
      expect(back).toContain(`${chatd.own}.previous is chatd ${laterVersion} (`);
      expect(chatd.version()).toBe(ownVersion());
      expect((await fetch(`${service.site}/readyz`)).status).toBe(200);
      const users = JSON.parse(chatd.must(["admin", "user", "list", "--json", ...place])).users;
      expect(users.map(({ email }: { email: string }) => email)).toContain("alice@example.com");
      expect(leftIn(chatd.folder)).toEqual([]);
      // Back from going back is the later version again.
      chatd.must(["upgrade", "--back", "--restart", ...place], service.env);
      expect(chatd.version()).toBe(laterVersion);
      expect((await fetch(`${service.site}/readyz`)).status).toBe(200);
    },
    usualMilliseconds,
  );

  test.skipIf(!requireTool("python3"))(
    "returns by itself where the new version does not get ready, with the data of before",
    async () => {
      const { place, chatd } = await begin();
      const service = await serviceOf(chatd.own, place);
      const env = { ...service.env, ...failing };
      const { code, stderr } = chatd.run(["upgrade", later(), "--restart", ...place], env);
      expect(stderr).toContain(`chatd ${laterVersion} did not become ready`);
      expect(stderr).toContain(`chatd: ${chatd.own} is chatd ${ownVersion()} (`);
      expect(stderr).toContain("again, and it is ready.");
      expect(code).toBe(1);
      expect(service.log()).toContain('"event":"migrated"');
      expect(service.log()).toContain("it is broken");
      expect([chatd.version(), (await fetch(`${service.site}/readyz`)).status]).toEqual([
        ownVersion(),
        200,
      ]);
      // Nobody goes "back" to the version that failed.
      const back = chatd.run(["upgrade", "--back", "--restart", ...place], service.env);
      expect([back.code, back.stderr]).toEqual([1, expect.stringContaining("has not replaced")]);
      expect(leftIn(chatd.folder)).toEqual([]);
    },
    usualMilliseconds,
  );
});

describe("chatd upgrade of a service whose data is a file", () => {
  /** An installed service that runs, on data with a few people. */
  async function running() {
    const [{ place: data }, chatd] = [await sqlite.provisioned(), install()];
    const service = await serviceOf(chatd.own, data);
    service.mustRestart();
    const isReady = async () => (await fetch(`${service.site}/readyz`)).status === 200;
    return { data, chatd, service, isReady };
  }

  test.skipIf(!requireTool("python3"))(
    "returns with the data of before also where the new version runs no command",
    async () => {
      const { data, chatd, service, isReady } = await running();
      const env = { ...service.env, ...failing, LISTS_NOTHING: "1" };
      const { code, stderr } = chatd.run(["upgrade", later(), "--restart", ...data], env);
      expect([code, stderr]).toEqual([1, expect.stringContaining("again, and it is ready.")]);
      expect(service.log()).toContain('"event":"migrated"');
      expect([chatd.version(), await isReady()]).toEqual([ownVersion(), true]);
    },
    usualMilliseconds,
  );

  test.skipIf(!requireTool("python3"))(
    "returns also where somebody presses Ctrl-C and the session ends meanwhile",
    async () => {
      const { data, chatd, service, isReady } = await running();
      writeFileSync(join(service.folder, "interrupts"), "");
      const words = ["upgrade", later(), "--restart", ...data];
      // In a session of its own, so that it alone is interrupted.
      const { code, stderr } = chatd.run(words, { ...service.env, ...failing }, [
        "setsid",
        "--wait",
      ]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("again, and it is ready.")]);
      expect(stderr).toContain("Ctrl-C has no effect now");
      expect([chatd.version(), await isReady()]).toEqual([ownVersion(), true]);
    },
    usualMilliseconds,
  );

  test.skipIf(!requireTool("python3"))(
    "goes back all the way where it was killed while it put the data back",
    async () => {
      const { data, chatd, service } = await running();
      chatd.must(["upgrade", later(), "--restart", ...data], service.env);
      spawnSync([join(service.folder, "systemctl"), "stop"], {
        env: { ...process.env, ...service.env },
      });
      const folder = data[1] ?? "";
      const aside = join(folder, "before-restore-20261127T000000Z");
      mkdirSync(aside, { mode: 0o700 });
      renameSync(join(folder, "chatd.db"), join(aside, "chatd.db"));
      writeFileSync(join(folder, "restore-unfinished"), "rows", { mode: 0o600 });
      const refused = chatd.run(["upgrade", "--back", ...data]);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining("was interrupted"),
      ]);
      chatd.must(["upgrade", "--back", "--force", ...data]);
      expect(chatd.version()).toBe(ownVersion());
      expect(chatd.must(["admin", "user", "list", ...data])).toContain("alice@example.com");
      expect(readdirSync(folder)).not.toContain("restore-unfinished");
    },
    usualMilliseconds,
  );

  test.skipIf(!requireTool("python3"))(
    "says where the data cannot be put back, and starts what knows it",
    async () => {
      const { data, chatd, service, isReady } = await running();
      const copies = `${data[1]}/chatd.db.before-schema-*`;
      const env = { ...service.env, BREAKS: `rm ${copies}` };
      const { code, stderr } = chatd.run(["upgrade", later(), "--restart", ...data], env);
      expect(code).toBe(1);
      expect(stderr).toContain("there is no copy from before");
      expect(stderr).toContain(`${chatd.own} stays chatd ${laterVersion} (`);
      expect(stderr).toContain("but it does not get ready either.");
      expect([chatd.version(), versionOf(`${chatd.own}.previous`)]).toEqual([
        laterVersion,
        ownVersion(),
      ]);
      expect(service.log().split("it is broken").length).toBe(3);

      // A version that works takes its place by hand, and the data cannot go back from there
      // either.
      rmSync(chatd.own);
      linkSync(later(), chatd.own);
      service.mustRestart();
      const back = ["upgrade", "--back", "--force", "--restart", ...data];
      writeFileSync(join(service.folder, "stuck"), "");
      const stuck = chatd.run(back, service.env);
      expect([stuck.code, stuck.stderr]).toEqual([1, expect.stringContaining("cannot be stopped")]);
      expect(await isReady()).toBe(true);
      rmSync(join(service.folder, "stuck"));
      const kept = chatd.run(back, service.env);
      expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining("and it is ready.")]);
      expect(kept.stderr).toContain("there is no copy from before");
      expect([chatd.version(), await isReady()]).toEqual([laterVersion, true]);
    },
    usualMilliseconds,
  );
});

describe("chatd upgrade", () => {
  test("takes the archive of a release, and compares it with the checksums beside it", () => {
    const chatd = install();
    const folder = freshFolder();
    const [inside, plain] = [join(folder, "chatd-99"), join(folder, "chatd-99.tar")];
    const archive = `${plain}.gz`;
    mkdirSync(inside);
    copyFileSync(later(), join(inside, "chatd"));
    writeFileSync(join(inside, "README.md"), "Read me.");
    expect(spawnSync(["tar", "-C", folder, "-cf", plain, "chatd-99"]).exitCode).toBe(0);
    writeFileSync(archive, Bun.gzipSync(readFileSync(plain), { level: 0 }));
    writeFileSync(join(folder, "SHA256SUMS"), `${"0".repeat(64)}  chatd-99.tar.gz\n`);
    const refused = chatd.run(["upgrade", archive]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("its checksum differs");
    expect(chatd.version()).toBe(ownVersion());
    const sums = spawnSync(["sha256sum", "chatd-99.tar.gz"], { cwd: folder }).stdout;
    writeFileSync(join(folder, "SHA256SUMS"), sums);
    const { code, stdout, stderr } = chatd.run(["upgrade", archive]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("The checksum of")]);
    expect(stdout).toContain(
      "A running server still runs the version from before this command: restart it.",
    );
    expect(chatd.version()).toBe(laterVersion);
    expect(chatd.must(["upgrade", archive])).toContain("already");
  });

  test("refuses to restart the service, and to go back, where it does not find the data", () => {
    const chatd = install();
    const [folder, place] = [freshFolder(), ["--data", join(chatd.folder, "elsewhere")]];
    installSystemctl(folder);
    const env = { SERVICE_FOLDER: folder, PATH: `${folder}:${process.env.PATH}` };
    const restarting = chatd.run(["upgrade", later(), "--restart", ...place], env);
    expect([restarting.code, chatd.version()]).toEqual([1, ownVersion()]);
    expect(restarting.stderr).toContain(`No data was found in ${place[1]}`);
    expect(restarting.stderr).toContain("/etc/chatd/environment is not read");
    expect(readdirSync(chatd.folder)).toEqual(["chatd"]);
    expect(chatd.must(["upgrade", later(), ...place])).toContain(laterVersion);
    for (const words of [["--back"], ["--back", "--force", "--restart"]]) {
      const { code, stderr } = chatd.run(["upgrade", ...words, ...place], env);
      expect([code, stderr]).toEqual([1, expect.stringContaining("No data was found in")]);
    }
    expect(chatd.version()).toBe(laterVersion);
    chatd.must(["upgrade", "--back", "--force", ...place]);
    expect(chatd.version()).toBe(ownVersion());
  });

  test("waits for no other upgrade, but is refused meanwhile; one that was killed is forgotten", () => {
    const chatd = install();
    const lock = join(chatd.folder, ".chatd-upgrading");
    writeFileSync(lock, `${process.pid}`);
    const refused = chatd.run(["upgrade", later()]);
    expect([refused.code, chatd.version()]).toEqual([1, ownVersion()]);
    expect(refused.stderr).toContain(`Another chatd upgrade is replacing ${chatd.own}`);
    expect(readFileSync(lock, "utf8")).toBe(`${process.pid}`);
    writeFileSync(lock, `${spawnSync(["true"]).pid}`);
    chatd.must(["upgrade", later()]);
    expect(readdirSync(chatd.folder).sort()).toEqual(["chatd", "chatd.previous"]);
  });

  test("says which rights the new file lacks", () => {
    const chatd = install();
    expect(chatd.run(["upgrade", later()]).stderr).not.toContain("setcap");
    if (!mayGiveRights()) return;
    rmSync(chatd.own);
    copyFileSync(binary(), chatd.own);
    expect(giveRights(chatd.own).exitCode).toBe(0);
    const { code, stderr } = chatd.run(["upgrade", later()]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`setcap cap_net_bind_service=\\+?e?p ${chatd.own}`)),
    ]);
  });

  test("waits for a service that takes long to start, and tells of it", async () => {
    const folder = freshFolder();
    const file = join(folder, "systemctl");
    writeFileSync(
      file,
      `#!/bin/sh\nuntil [ -e ${folder}/ready ] || [ ! -d ${folder} ]; do sleep 0.02; done\n`,
      {
        mode: 0o755,
      },
    );
    const code =
      'import { findUnit } from "./cli/upgrade/unit"; process.exit((await findUnit("chatd", 20)?.restart()) ? 0 : 1);';
    const waiting = spawn([process.execPath, "-e", code], {
      cwd: root,
      env: { ...plainEnvironment(), PATH: `${folder}:${process.env.PATH}` },
      stderr: "pipe",
    });
    let printed = "";
    for await (const chunk of waiting.stderr) {
      printed += new TextDecoder().decode(chunk);
      if (printed.includes("still starting")) writeFileSync(join(folder, "ready"), "");
    }
    expect([await waiting.exited, printed]).toEqual([0, expect.stringContaining("To give up")]);
  });

  test("finds the data of a service as the page installs it", () => {
    const page = readFileSync(join(root, "docs/service.md"), "utf8");
    const unit = readFileSync(join(root, "deploy/chatd.service"), "utf8");
    const [, data] = /^ExecStart=.* --data (\S+)$/m.exec(unit) ?? [];
    expect(page).toMatch(new RegExp(`^printf '.*\\bdata = "${data}"\\\\n`, "m"));
  });

  test("refuses what is no executable for this machine, and changes nothing", () => {
    const chatd = install();
    const folder = freshFolder();
    const other = Buffer.from(readFileSync(binary()).subarray(0, 4096));
    other.writeUInt16LE(process.arch === "x64" ? 0xb7 : 0x3e, 18);
    const cut = readFileSync(binary()).subarray(0, 4096);
    const files: [string, Uint8Array | string, string][] = [
      ["other", other, "is for another kind of machine (Linux "],
      ["cut", cut, "does not run on this machine"],
      ["script", "#!/bin/sh\necho chatd 9.9.9", "is not an executable"],
      ["empty.tar.gz", Bun.gzipSync(new Uint8Array(1024)), "does not contain chatd"],
    ];
    for (const [name, content, why] of files) {
      writeFileSync(join(folder, name), content, { mode: 0o755 });
      const { code, stderr } = chatd.run(["upgrade", join(folder, name)]);
      expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining(why)]);
    }
    expect(readdirSync(chatd.folder)).toEqual(["chatd"]);
    for (const [words, code, why] of [
      [["upgrade", "/nowhere"], 1, "There is no file /nowhere"],
      [["upgrade", "--back"], 1, "has not replaced another version"],
      [["upgrade"], 2, "Name the file with the new version"],
    ] as const) {
      const outcome = chatd.run([...words]);
      expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(why)]);
    }
  });

  test.skipIf(!requireTool("strace"))(
    "has a whole chatd under its name wherever it is killed, and ends the work when it is run again",
    () => {
      let kills = 0;
      for (const words of [
        ["upgrade", later()],
        ["upgrade", "--back", "--force"],
      ])
        for (const call of ["linkat,link", "rename,renameat,renameat2"])
          for (let count = 1; ; count++) {
            const chatd = words[1] === "--back" ? install(later()) : install();
            if (words[1] === "--back") linkSync(binary(), `${chatd.own}.previous`);
            const inject = `--inject=${call}:signal=KILL:when=${count}`;
            // With --seccomp-bpf nothing would be killed.
            const trace = ["strace", "-f", "-qq", `--trace=${call}`, inject, "-o", "/dev/null"];
            const killed = chatd.run(words, {}, trace);
            if (killed.code === 0) break;
            kills += 1;
            expect([laterVersion, ownVersion()]).toContain(chatd.version() ?? "");
            const isDone =
              chatd.version() === (words[1] === "--back" ? ownVersion() : laterVersion);
            if (!isDone) chatd.must(words);
            expect(existsSync(`${chatd.own}.previous`) || isDone).toBe(true);
            rmSync(chatd.folder, { recursive: true });
          }
      expect(kills).toBeGreaterThan(1);
    },
    usualMilliseconds,
  );
});
