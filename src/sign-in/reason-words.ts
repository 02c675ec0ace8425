import type { ApiError, ErrorCode } from "../core/errors";
import type { Language } from "../core/language";
import type { ReasonName } from "../core/reasons";

/** Text of a reason, from its values in order. */
type ReasonText = (...values: string[]) => string;

const channelGone = "Diesen Kanal gibt es nicht, oder du siehst ihn nicht.";

/**
 * Reasons of refusals in each language except English, the language of the refusals themselves. A
 * reason without a text does not compile.
 */
export const reasonWords: Record<Exclude<Language, "en">, Record<ReasonName, ReasonText>> = {
  de: {
    "account-deleted": () => "Dieses Konto wurde endgültig gelöscht. Füge die Person neu hinzu.",
    "account-ended": (name) => `Das Konto von ${name} ist schon deaktiviert.`,
    "account-manage": () => "Dieses Konto darfst du nicht ändern. Bitte einen Administrator darum.",
    "address-alike": (email) =>
      `${email} steht für jemanden, dessen Adresse verborgen ist. Wähle eine andere.`,
    "address-disposable": () => "Diese Organisation akzeptiert keine Wegwerfadressen.",
    "address-domain": (domain) =>
      `Diese Organisation akzeptiert keine Adressen von ${domain}. Ein Besitzer kann die Domain hinzufügen.`,
    "address-form": (email) =>
      email === ""
        ? "Gib deine E-Mail-Adresse ein."
        : `„${email}“ ist keine gültige E-Mail-Adresse.`,
    "address-plus": () => "Diese Organisation akzeptiert keine Adressen mit einem Pluszeichen.",
    "address-taken": (email) => `Die E-Mail-Adresse ${email} gehört schon jemandem.`,
    "addresses-by-administrators": () =>
      "In dieser Organisation können nur Administratoren E-Mail-Adressen ändern.",
    "administrator-required": () => "Das dürfen nur Administratoren.",
    "bot-owner-ended": (owner) =>
      `Dieser Bot gehört ${owner}, und dieses Konto ist deaktiviert: Aktiviere es zuerst wieder, oder gib den Bot einer anderen Person.`,
    "channel-access": (name) =>
      `Nur Mitglieder des Kanals „${name}“ dürfen ändern, wer ihn sehen kann.`,
    "channel-administer": (name) =>
      `Den Kanal „${name}“ verwaltest du nicht. Bitte jemanden darum, der ihn verwaltet, oder einen Administrator.`,
    "channel-alike": (name) =>
      `„${name}“ sieht aus wie der Name eines anderen Kanals. Wähle einen anderen Namen.`,
    "channel-archived": (name) => `Der Kanal „${name}“ ist archiviert.`,
    "channel-create": () => "Solche Kanäle darfst du nicht anlegen.",
    "channel-exists": (name) => `Es gibt schon einen Kanal „${name}“.`,
    "channel-gone": () => channelGone,
    "channel-post": (name) => `Im Kanal „${name}“ darfst du nicht schreiben.`,
    "channel-subscribe": (names) =>
      `Diesen Kanälen darfst du nicht beitreten und niemanden hinzufügen: ${names}.`,
    "changes-today": () =>
      "Du hast heute schon zu viele neue Adressen angegeben. Versuch es morgen noch einmal.",
    "default-archived": (name) =>
      `Der Kanal „${name}“ ist archiviert: Neue Mitglieder kommen nicht automatisch hinein.`,
    "default-private": (name) =>
      `Der Kanal „${name}“ ist privat: Neue Mitglieder kommen nicht automatisch hinein.`,
    "direct-begin": () => "In dieser Organisation darfst du keine neuen Unterhaltungen beginnen.",
    "direct-off": () => "In dieser Organisation gibt es keine Direktnachrichten.",
    "edits-off": () => "In dieser Organisation kann niemand Nachrichten bearbeiten.",
    "emoji-add": () => "Du darfst keine eigenen Emoji hinzufügen. Bitte einen Administrator darum.",
    "emoji-built-in": (name) =>
      `:${name}: ist ein Emoji, das alle haben. Nur Administratoren dürfen es ersetzen.`,
    "emoji-count": (max) =>
      `Eine Organisation kann höchstens ${max} Emoji haben, die entfernten eingeschlossen.`,
    "emoji-gone": (name) => `Ein Emoji :${name}: gibt es hier nicht.`,
    "emoji-name-empty": () => "Gib dem Emoji einen Namen.",
    "emoji-name-form": () =>
      "Der Name eines Emoji besteht aus Kleinbuchstaben von a bis z, Ziffern, Bindestrichen, Unterstrichen und Punkten und endet auf einen Buchstaben oder eine Ziffer.",
    "emoji-name-long": (max) => `Der Name eines Emoji darf höchstens ${max} Zeichen haben.`,
    "emoji-name-taken": (name) => `Ein eigenes Emoji :${name}: gibt es schon.`,
    "emoji-remove": () =>
      "Ein Emoji entfernen dürfen nur Administratoren und die Person, die es hinzugefügt hat, solange sie Emoji hinzufügen darf.",
    "file-size": (mib) => `Eine Datei darf höchstens ${mib} MiB groß sein.`,
    "files-off": () => "Dieser Server akzeptiert keine Dateien.",
    "links-today": (email) =>
      `An ${email} wurden heute schon zu viele Links gesendet. Versuch es morgen noch einmal.`,
    "mail-off": () =>
      "Dieser Server verschickt keine Mails, und der Link der Einladung gilt weiter. Erstelle einen Einladungslink und gib ihn weiter.",
    "mention-group": (name) =>
      `Die Gruppe „${name}“ darfst du nicht erwähnen. Schreib @_*${name}*, um sie zu nennen, ohne jemanden zu benachrichtigen.`,
    "message-delete": () => "Diese Nachricht darfst du nicht löschen.",
    "message-delete-late": () =>
      "Diese Nachricht kannst du nicht mehr löschen: Dafür ist es zu spät.",
    "message-edit": () => "Du kannst nur deine eigenen Nachrichten bearbeiten.",
    "message-edit-late": () =>
      "Diese Nachricht kannst du nicht mehr bearbeiten: Dafür ist es zu spät.",
    "message-empty": () => "Die Nachricht ist leer.",
    "message-gone": () => "Diese Nachricht gibt es nicht mehr, oder du siehst sie nicht.",
    "message-move": () => "Das Thema oder den Kanal dieser Nachricht darfst du nicht ändern.",
    "message-move-late": () =>
      "Zum Verschieben dieser Nachricht ist es zu spät. Bitte einen Moderator darum.",
    "name-alike": (name) =>
      `Der Name ${name} sieht aus wie der einer anderen Person. Wähle einen anderen.`,
    "name-characters": () => "Der Name darf keine Steuerzeichen enthalten.",
    "name-empty": () => "Gib deinen Namen ein.",
    "name-form": () =>
      'Ein Name darf * ` \\ > " @ nicht enthalten und nicht auf | und eine Zahl enden.',
    "name-long": (max) => `Der Name ist zu lang: Er darf höchstens ${max} Zeichen haben.`,
    "name-of-system": (name, bot) =>
      `„${name}“ sieht aus wie der Name von ${bot}, einem Bot des Servers. Wähle einen anderen Namen.`,
    "name-taken": (name) => `Der Name ${name} ist schon vergeben.`,
    "name-unseen": () => "Der Name muss sichtbare Zeichen enthalten.",
    "owner-last": () =>
      "Eine Organisation braucht mindestens einen aktiven Besitzer: Mach zuerst jemand anders zum Besitzer.",
    "owner-required": () => "Das dürfen nur Besitzer der Organisation.",
    "password-length": (min, max) => `Ein Passwort muss ${min} bis ${max} Zeichen haben.`,
    "password-now": () => "Das ist nicht dein aktuelles Passwort, oder es waren zu viele Versuche.",
    "password-own": () =>
      "Ein Passwort darf nicht dein Name oder deine E-Mail-Adresse sein: Beides ist leicht zu erraten.",
    "person-inactive": (name) => `${name} hat hier kein aktives Konto mehr.`,
    "picture-moving": (mib) => `Ein animiertes Emoji darf höchstens ${mib} MiB groß sein.`,
    "picture-pixels": (side, millions) =>
      `Das Bild ist zu groß: Es darf höchstens ${side} Pixel breit und hoch sein und insgesamt höchstens ${millions} Millionen Pixel haben.`,
    "protected-topics": () =>
      "In einem privaten Kanal mit geschütztem Verlauf muss jeder neue Themen beginnen dürfen.",
    "reports-private": () => "Der Kanal, an den gemeldete Nachrichten gehen, muss privat sein.",
    "requests-today": () =>
      "Heute wollten schon zu viele Personen beitreten. Versuch es morgen noch einmal.",
    "search-long": (max) =>
      `Diese Suche ist zu lang: Jeder Teil darf höchstens ${max} Zeichen haben.`,
    "server-error": (requestId) =>
      `Auf dem Server ist etwas schiefgegangen. Näheres steht in seinem Log unter der Anfrage ${requestId}.`,
    "sign-in-again": () => "Melde dich zuerst neu an: Öffne einen neuen Anmeldelink.",
    "topic-begin": (name) => `Im Kanal „${name}“ darfst du keine neuen Themen beginnen.`,
    "topic-required": (name) => `Im Kanal „${name}“ braucht jede Nachricht ein Thema.`,
    "topic-unseen": () => "Der Name eines Themas muss sichtbare Zeichen enthalten.",
    topicless: (name) => `Der Kanal „${name}“ hat keine Themen.`,
    "web-off-organization": () =>
      "In dieser Organisation gibt es keine im Web öffentlichen Kanäle.",
    "web-off-server": () => "Auf diesem Server gibt es keine im Web öffentlichen Kanäle.",
    "web-open": () => "Du darfst keine Kanäle für das Web öffnen.",
    "widget-edit": () => "Umfragen und Aufgabenlisten kann man nicht bearbeiten.",
  },
};

/** Text of a refusal that has no reason, by its code. */
interface CodeWords {
  of: Partial<Record<ErrorCode, (data: ApiError["data"]) => string>>;
  /** Text for every other code. */
  otherwise: string;
}

const waiting = (data: ApiError["data"]) => {
  const seconds = data["retry-after"];
  return typeof seconds === "number" ? `Warte ${seconds} s` : "Warte etwas";
};

/** Texts of refusals without a reason, so that no page has to show an English one. */
export const codeWords: Record<Exclude<Language, "en">, CodeWords> = {
  de: {
    of: {
      AUTHENTICATION_FAILED: () =>
        "Deine E-Mail-Adresse oder dein Passwort ist falsch. Nach fünf Fehlversuchen musst du eine halbe Stunde warten.",
      BAD_IMAGE: () =>
        "Diese Datei ist kein lesbares Bild. Nimm ein PNG, JPEG, WebP oder GIF in mäßiger Größe.",
      CSRF_FAILED: (data) =>
        data["reason"] === "origin"
          ? "Diese Anfrage kam von einer anderen Website. Öffne die Seite auf diesem Server und versuch es noch einmal."
          : "Diese Seite gehört zu einer anderen Sitzung. Lade sie neu und versuch es noch einmal.",
      DATABASE_UNAVAILABLE: (data) =>
        data["retry-after"] === undefined
          ? "Die Datenbank des Servers war nicht erreichbar, während deine Änderung gespeichert wurde. Sieh erst nach, ob die Änderung da ist, bevor du es noch einmal versuchst."
          : `Die Datenbank des Servers kann das gerade nicht ausführen. ${waiting(data)} und versuch es dann noch einmal.`,
      INSUFFICIENT_STORAGE: () =>
        "Der Server hat keinen Speicherplatz mehr: Du kannst gerade nur lesen, nichts speichern. Versuch es später noch einmal, oder sag dem Betreiber Bescheid.",
      RATE_LIMIT_HIT: (data) =>
        `Zu viele Anfragen: ${waiting(data)} und versuch es dann noch einmal.`,
      CANNOT_DEACTIVATE_LAST_USER: (data) =>
        data["is_last_owner"]
          ? "Eine Organisation braucht mindestens einen aktiven Besitzer."
          : "Eine Organisation braucht mindestens ein aktives Konto.",
      EXPECTATION_MISMATCH: () => "Das hat inzwischen jemand geändert. Sieh es dir noch einmal an.",
      INVITATION_FAILED: (data) => {
        if (data["daily_limit_reached"])
          return "Heute wurden schon zu viele Personen eingeladen. Lade die anderen morgen ein oder mit einem Link.";
        return data["sent_invitations"]
          ? "Einige dieser Adressen haben schon ein Konto. Alle anderen sind eingeladen."
          : "Niemand wurde eingeladen, weil einige Adressen hier nicht erlaubt sind oder schon ein Konto haben.";
      },
      MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: (data) =>
        `Du darfst nur noch die neuesten ${data["total_messages_allowed_to_move"]} der ${data["total_messages_in_topic"]} Nachrichten dieses Themas verschieben. Bitte einen Moderator, alle zu verschieben.`,
      PUSH_SERVICE_NOT_CONFIGURED: () =>
        "Dieser Server schickt keine Benachrichtigungen an Handys.",
      REALM_UPLOAD_QUOTA: () =>
        "Für diese Datei ist kein Speicherplatz mehr frei. Lösche andere Dateien, oder bitte den Betreiber um mehr Speicherplatz.",
      STREAM_DOES_NOT_EXIST: () => channelGone,
      STREAM_WILDCARD_MENTION_NOT_ALLOWED: () =>
        "In einem Kanal mit so vielen Abonnenten darfst du nicht alle erwähnen.",
      TOPIC_WILDCARD_MENTION_NOT_ALLOWED: () =>
        "In einem Thema mit so vielen Beteiligten darfst du nicht alle erwähnen.",
      REALM_DEACTIVATED: () => "Diese Organisation ist deaktiviert.",
      REQUEST_TOO_LARGE: () => "Das ist zu groß für diesen Server.",
      SERVER_BUSY: (data) =>
        `Der Server hat gerade zu viel zu tun: ${waiting(data)} und versuch es dann noch einmal.`,
      STORAGE_DAMAGED: () =>
        "Die gespeicherten Daten sind beschädigt. Sag dem Betreiber Bescheid: Im Log des Servers steht, was zu tun ist.",
      UNAUTHORIZED: () => "Dieser Browser ist abgemeldet. Melde dich neu an.",
      USER_DEACTIVATED: () =>
        "Dieses Konto ist deaktiviert. Bitte einen Administrator, es wieder zu aktivieren.",
    },
    otherwise: "Der Server hat das abgelehnt. Lade die Seite neu und versuch es noch einmal.",
  },
};
