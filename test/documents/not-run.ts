/* Blocks and commands of the documents that no test of this folder runs, each with its reason. */

export interface NotRun {
  page: string;
  /** Beginnings of the commands, or of the block when it is none for a shell. */
  begins: string[];
  because: string;
  /** File of the test that shows what the page says, and words of it: the name of the test. */
  shownBy: readonly [file: string, name: string] | "no test";
}

export const notRun: NotRun[] = [
  {
    page: "docs/push.md",
    begins: ["chatd admin push register"],
    because: "the page names a service that is not there",
    shownBy: ["test/cli/push.test.ts", "registers, and renews the key"],
  },
  {
    page: "README.md",
    begins: ["  clients and bots ──HTTP"],
    because: "it is a drawing",
    shownBy: ["test/cli/export-import.test.ts", "move an organization to another server"],
  },
  {
    page: "README.md",
    begins: ["make serve", "make test"],
    because: "a test would run all tests",
    shownBy: ["test/tidy.test.ts", "make target"],
  },
  {
    page: "CONTRIBUTING.md",
    begins: ["letters      mails that are"],
    because: "it is a list",
    shownBy: ["test/tidy.test.ts", "wing"],
  },
  {
    page: "docs/backup.md",
    begins: ["chatd admin backup - --data /var/lib/chatd | ssh other"],
    because: "there is no other machine",
    shownBy: ["test/cli/backup.test.ts", "go through a pipe"],
  },
  {
    page: "docs/backup.md",
    begins: [
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n15 3 * * * f="/backup/chatd-$(date +\\%F).tar"; set -a',
    ],
    because: "it needs root, and the account of the package",
    shownBy: ["test/cli/files.test.ts", "moves files between the data folder and an S3 store"],
  },
  {
    page: "docs/https.md",
    begins: ["chatd serve --https chat.example.com"],
    because: "it asks an authority on the internet for a certificate",
    shownBy: ["test/cli/https.test.ts", "starts while the authority is away, gets a certificate"],
  },
  {
    page: "docs/https.md",
    begins: ["certbot "],
    because: "it needs root, and asks an authority on the internet for a certificate",
    shownBy: "no test",
  },
  {
    page: "docs/install.md",
    begins: ["sha256sum", "tar -xzf", "install -m"],
    because: "they take the files of a release, which are 100 MB each",
    shownBy: [".ci/run", "sha256sum --check --quiet SHA256SUMS"],
  },
  {
    page: "docs/install.md",
    begins: ["sudo apt install", "sudoedit", "sudo systemctl enable", "PURGE_CHATD_DATA=yes"],
    because: "they need root, and systemd as the first process",
    shownBy: ["deploy/release/try-install.sh", "purge"],
  },
  {
    page: "docs/install.md",
    begins: ["docker "],
    because: "it needs docker and images of the internet",
    shownBy: "no test",
  },
  {
    page: "docs/service.md",
    begins: ["install -m", "useradd", "install -d", "systemctl"],
    because: "it needs root and systemd as the first process",
    shownBy: ["test/cli/service-manager.test.ts", "a server whose service manager is gone"],
  },
  {
    page: "docs/service.md",
    begins: ["[Service]\nLoadCredential="],
    because: "systemd reads it; `make try-install` has it looked through",
    shownBy: ["deploy/release/try-install.sh", "systemd does not take the page's drop-in"],
  },
  {
    page: "docs/upgrade.md",
    begins: ["apt install", "systemctl restart"],
    because: "it needs root, and systemd as the first process",
    shownBy: ["test/cli/upgrade.test.ts", "takes the archive of a release"],
  },
  {
    page: "docs/upgrade.md",
    begins: ["chatd upgrade"],
    because: "it takes an executable of another version, which that test builds",
    shownBy: ["test/cli/upgrade.test.ts", "takes the archive of a release"],
  },
];

/** The entry of the list for a command or a block, if it is there. */
export const reasonFor = (page: string, text: string): NotRun | undefined =>
  notRun.find((one) => one.page === page && one.begins.some((begin) => text.startsWith(begin)));
