import type { Command } from "commander";
import { withExamples } from "./examples";

/**
 * Examples of the commands below `chatd admin`, which their help shows. Each runs exactly as
 * written on a server with one organization. Examples of other commands are beside their
 * declarations.
 */
const examples: Readonly<Record<string, readonly string[]>> = {
  apply: [
    "chatd admin apply acme.yaml --diff",
    "chatd admin apply acme.yaml --credentials keys.json",
    "chatd admin apply acme.yaml --login-links links.json",
    "chatd admin apply acme.yaml --prune --yes",
  ],
  "realm create": ["chatd admin realm create --name Acme --host chat.example.com --if-missing"],
  "realm list": ["chatd admin realm list --json"],
  "realm show": ["chatd admin realm show --realm chat.example.com"],
  "realm dump": ["chatd admin realm dump", "chatd admin realm dump acme-dump.yaml"],
  "realm update": [
    "chatd admin realm update invite_required=false can_create_groups=role:moderators",
    "chatd admin realm update 'description=Where Acme talks' default_language=de",
  ],
  "realm defaults": [
    "chatd admin realm defaults",
    "chatd admin realm defaults enter_sends=true color_scheme=2",
  ],
  "realm deactivate": [
    "chatd admin realm deactivate --realm old.example.com --dry-run",
    "chatd admin realm deactivate --realm old.example.com --delete-after-days 30 --yes",
  ],
  "realm reactivate": ["chatd admin realm reactivate --realm old.example.com"],
  "realm icon": ["chatd admin realm icon acme.png", "chatd admin realm icon --remove"],
  "realm logo": ["chatd admin realm logo acme-wide.png --night"],
  "user add": [
    "chatd admin user add bob@example.com --name 'Bob Miller' --role member --if-missing",
    "pass show chat/bob | chatd admin user add bob@example.com --name Bob --role member --password-stdin",
  ],
  "user list": ["chatd admin user list"],
  "user role": ["chatd admin user role bob@example.com administrator"],
  "user update": ["chatd admin user update bob@example.com --email robert@example.com"],
  "user deactivate": [
    "chatd admin user deactivate bob@example.com --dry-run",
    "chatd admin user deactivate bob@example.com --revoke-keys --yes",
  ],
  "user reactivate": ["chatd admin user reactivate bob@example.com"],
  "user password": [
    "chatd admin user password bob@example.com",
    "chatd admin user password bob@example.com --generate --end-keys",
  ],
  "user avatar": ["chatd admin user avatar bob@example.com bob.jpg"],
  "user login-link": ["chatd admin user login-link bob@example.com --expires 12h"],
  "user unlock": ["chatd admin user unlock bob@example.com"],
  "user sessions": [
    "chatd admin user sessions bob@example.com",
    "chatd admin user sessions bob@example.com --end",
  ],
  "user devices": ["chatd admin user devices bob@example.com --remove"],
  "user delete": [
    "chatd admin user delete bob@example.com --dry-run",
    "chatd admin user delete bob@example.com --yes",
  ],
  "invite create": [
    "chatd admin invite create bob@example.com eve@example.com --channel general --expires 7d",
    "chatd admin invite create --reusable --role guest --expires never",
  ],
  "invite list": ["chatd admin invite list"],
  "invite renew": ["chatd admin invite renew 17"],
  "invite revoke": ["chatd admin invite revoke 17"],
  "api-key issue": ["chatd admin api-key issue bob@example.com --label laptop"],
  "api-key list": ["chatd admin api-key list bob@example.com"],
  "api-key revoke": ["chatd admin api-key revoke 42"],
  "group list": ["chatd admin group list --system"],
  "group create": [
    "chatd admin group create backend --description 'Backend team' --member bob@example.com --if-missing",
  ],
  "group update": ["chatd admin group update backend --permission can_mention_group=role:everyone"],
  "group members add": ["chatd admin group members add backend bob@example.com --if-missing"],
  "group members remove": ["chatd admin group members remove backend --subgroup interns"],
  "group deactivate": ["chatd admin group deactivate backend --yes"],
  "group reactivate": ["chatd admin group reactivate backend"],
  "channel list": ["chatd admin channel list --archived"],
  "channel create": [
    "chatd admin channel create announcements --description 'Read me' --default --if-missing",
    "chatd admin channel create board --private --subscriber bob@example.com eve@example.com",
  ],
  "channel update": [
    "chatd admin channel update board --no-shared-history --retention 365",
    "chatd admin channel update announcements --permission can_send_message_group=role:moderators",
  ],
  "channel archive": ["chatd admin channel archive party-2024"],
  "channel unarchive": ["chatd admin channel unarchive party-2024"],
  "channel renew-addresses": ["chatd admin channel renew-addresses support"],
  "channel subscribe": ["chatd admin channel subscribe general bob@example.com eve@example.com"],
  "channel unsubscribe": ["chatd admin channel unsubscribe general bob@example.com"],
  "default-group list": ["chatd admin default-group list"],
  "default-group create": [
    "chatd admin default-group create Engineering --channel backend frontend --if-missing",
  ],
  "default-group update": ["chatd admin default-group update Engineering --description 'Builders'"],
  "default-group channels add": ["chatd admin default-group channels add Engineering devops"],
  "default-group channels remove": ["chatd admin default-group channels remove Engineering devops"],
  "default-group remove": ["chatd admin default-group remove Engineering"],
  "topic delete": [
    "chatd admin topic delete general 'test messages' --dry-run",
    "chatd admin topic delete general 'test messages' --yes",
  ],
  "push register": [
    "chatd admin push register --contact ops@example.com --agree-to-terms",
    "chatd admin push register --contact ops@example.com --agree-to-terms --rotate-key",
  ],
  "audit list": ["chatd admin audit list --since 7d --actor operator --type user"],
  "audit export": ["chatd admin audit export --since 2026-01-01 > audit.jsonl"],
  "linkifier list": ["chatd admin linkifier list"],
  "linkifier add": [
    "chatd admin linkifier add '#(?P<id>[0-9]+)' 'https://tracker.example/{id}' --if-missing",
  ],
  "linkifier update": [
    "chatd admin linkifier update 3 '#(?P<id>[0-9]+)' 'https://issues.example/{id}'",
  ],
  "linkifier remove": ["chatd admin linkifier remove 3"],
  "linkifier reorder": ["chatd admin linkifier reorder 3 1 2"],
  "playground list": ["chatd admin playground list"],
  "playground add": [
    "chatd admin playground add 'Rust Playground' Rust 'https://play.rust-lang.org/?code={code}'",
  ],
  "playground remove": ["chatd admin playground remove 3"],
  "domain list": ["chatd admin domain list"],
  "domain add": ["chatd admin domain add example.com --subdomains --if-missing"],
  "domain update": ["chatd admin domain update example.com --no-subdomains"],
  "domain remove": ["chatd admin domain remove example.com"],
  "emoji list": ["chatd admin emoji list"],
  "emoji add": ["chatd admin emoji add party-parrot parrot.gif --if-missing"],
  "emoji remove": ["chatd admin emoji remove party-parrot"],
  "profile-field list": ["chatd admin profile-field list"],
  "profile-field add": [
    "chatd admin profile-field add short_text --name Team --hint 'Whom do you work with?' --summary",
    `chatd admin profile-field add external_account --name GitHub --field-data '{"subtype": "github"}'`,
  ],
  "profile-field update": ["chatd admin profile-field update Team --required"],
  "profile-field remove": ["chatd admin profile-field remove Team --dry-run"],
  "profile-field reorder": ["chatd admin profile-field reorder Team Birthday"],
  "folder list": ["chatd admin folder list --archived"],
  "folder create": ["chatd admin folder create Projects --if-missing"],
  "folder update": ["chatd admin folder update Projects --name 'Running projects'"],
  "folder archive": ["chatd admin folder archive Projects"],
  "folder unarchive": ["chatd admin folder unarchive Projects"],
  "folder reorder": ["chatd admin folder reorder Projects Social"],
  "bot add": [
    "chatd admin bot add deploy --name 'Deploy bot' --owner bob@example.com --if-missing",
    "chatd admin bot add helper --name Helper --owner bob@example.com --kind outgoing-webhook --payload-url https://helper.example/hook",
  ],
  "bot list": ["chatd admin bot list"],
  "bot set": ["chatd admin bot set deploy-bot@chat.example.com --name 'Release bot'"],
  "bot key": ["chatd admin bot key deploy-bot@chat.example.com --regenerate"],
  "bot deactivate": ["chatd admin bot deactivate deploy-bot@chat.example.com --yes"],
  "bot transfer": ["chatd admin bot transfer deploy-bot@chat.example.com eve@example.com"],
  "webhook test": [
    "chatd admin webhook test helper-bot@chat.example.com --message 'Are you there?'",
  ],
  "webhook template list": ["chatd admin webhook template list"],
  "webhook template set": [
    "chatd admin webhook template set alerts '{service|alerts}' '**{title}**: {description}'",
  ],
  "webhook template remove": ["chatd admin webhook template remove alerts"],
  "webhook secret list": ["chatd admin webhook secret list deploy-bot@chat.example.com"],
  "webhook secret set": [
    "chatd admin webhook secret set deploy-bot@chat.example.com github < secret.txt",
  ],
  "webhook secret remove": ["chatd admin webhook secret remove deploy-bot@chat.example.com github"],
  "mail test": ["chatd admin mail test bob@example.com"],
  "jobs list": ["chatd admin jobs list --failed"],
  "jobs retry": ["chatd admin jobs retry 12 13"],
  "jobs delete": ["chatd admin jobs delete 12 --yes"],
  export: [
    "chatd admin export acme.tar",
    "chatd admin export acme-public.tar --public",
    "chatd admin export acme-to-read --as html",
    "chatd admin export acme.tar.gz --as reference",
  ],
  import: [
    "chatd admin import slack.zip --from slack --host chat.example.com --dry-run",
    "chatd admin import acme.tar --host chat.example.com --skipped left-out.jsonl",
  ],
  stats: ["chatd admin stats", "chatd admin stats --realm chat.example.com --json"],
  check: ["chatd admin check", "chatd admin check --repair"],
  "files move": ["chatd admin files move --to s3"],
  backup: [
    "chatd admin backup chatd-backup.tar",
    "chatd admin backup - | ssh backup.example.com 'cat > chatd.tar'",
  ],
  restore: ["chatd admin restore chatd-backup.tar --data /var/lib/chatd"],
  "copy make": ["chatd admin copy make --data /var/lib/chatd"],
  "copy list": ["chatd admin copy list --data /var/lib/chatd"],
  "config print": ["chatd admin config print --config /etc/chatd/chatd.toml"],
  doctor: ["chatd admin doctor --config /etc/chatd/chatd.toml", "chatd admin doctor --offline"],
  "config check": ["chatd admin config check --offline"],
};

/** Adds examples to every command below `chatd admin`; answers names that belong to no command. */
export function addExamples(admin: Command): string[] {
  const left = new Set(Object.keys(examples));
  const visit = (command: Command, path: readonly string[]) => {
    const name = path.join(" ");
    const lines = examples[name];
    if (lines && left.delete(name)) withExamples(command, ...lines);
    for (const one of command.commands) visit(one, [...path, one.name()]);
  };
  visit(admin, []);
  return [...left];
}
