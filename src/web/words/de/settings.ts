import type { settings as english } from "../en/settings";
import { grouped, messages } from "./counts";

const flags: (typeof english)["flags"] = {
  allow_private_data_export: {
    name: "Exporte der Organisation dürfen meine privaten Nachrichten enthalten",
    help: "Administratoren können einen solchen Export erstellen. Ohne diese Einstellung enthält er deine privaten Nachrichten nur, wenn es jemand anders erlaubt, der sie bekommen hat.",
  },
  automatically_follow_topics_where_mentioned: {
    name: "Themen folgen, in denen ich erwähnt werde",
  },
  enable_digest_emails: {
    name: "Mir eine Zusammenfassung per Mail senden, wenn ich lange weg war",
  },
  enable_drafts_synchronization: {
    name: "Meine Entwürfe auf dem Server aufbewahren",
    help: "Dann findest du sie auch in deinen anderen Browsern und Programmen.",
  },
  enable_followed_topic_wildcard_mentions_notify: {
    name: "@all und @topic in Themen, denen ich folge, benachrichtigen mich wie eine Erwähnung",
  },
  enable_login_emails: {
    name: "Mir jedes Mal eine Mail senden, wenn sich jemand mit meinem Konto anmeldet",
  },
  enable_online_push_notifications: {
    name: "Benachrichtigungen an mein Telefon senden, während ich hier aktiv bin",
  },
  enter_sends: {
    name: "Die Eingabetaste sendet die Nachricht",
    help: "Ohne diese Einstellung sendet Strg Eingabe, und die Eingabetaste beginnt eine neue Zeile.",
  },
  message_content_in_email_notifications: { name: "Mails zitieren die Nachricht" },
  pm_content_in_desktop_notifications: { name: "Benachrichtigungen zitieren Direktnachrichten" },
  presence_enabled: { name: "Andere sehen, wann ich online bin" },
  send_private_typing_notifications: {
    name: "Andere sehen, dass ich in Direktnachrichten schreibe",
  },
  send_read_receipts: { name: "Andere sehen, welche Nachrichten ich gelesen habe" },
  send_stream_typing_notifications: { name: "Andere sehen, dass ich in Kanälen schreibe" },
  starred_message_counts: {
    name: "Nachrichten mit Stern in der Liste der Unterhaltungen zählen",
  },
  twenty_four_hour_time: { name: "Uhrzeit im 24-Stunden-Format" },
  web_escape_navigates_to_home_view: {
    name: "Esc führt zur Startansicht",
    help: "Wenn nichts offen ist, was Esc schließen würde.",
  },
  wildcard_mentions_notify: { name: "@all und @topic benachrichtigen mich wie eine Erwähnung" },
};

const partaking = {
  1: "in denen ich schreibe oder reagiere",
  2: "in denen ich schreibe",
  3: "die ich beginne",
  4: "nur von Hand",
};

const choices: (typeof english)["choices"] = {
  automatically_follow_topics_policy: { name: "Themen folgen", options: partaking },
  automatically_unmute_topics_in_muted_streams_policy: {
    name: "In stummgeschalteten Kanälen die Stummschaltung von Themen aufheben",
    options: partaking,
  },
  color_scheme: {
    name: "Farben",
    options: { 1: "Wie das System", 3: "Hell", 2: "Dunkel" },
  },
  desktop_icon_count_display: {
    name: "Im Seitentitel zählen",
    options: {
      1: "alles Ungelesene",
      2: "Direktnachrichten, Erwähnungen und Themen, denen ich folge",
      3: "Direktnachrichten und Erwähnungen",
      4: "nichts",
    },
  },
  email_address_visibility: {
    name: "Wer meine E-Mail-Adresse sehen darf",
    options: {
      1: "alle",
      2: "alle außer Gästen",
      5: "Moderatoren, Administratoren und Besitzer",
      3: "Administratoren und Besitzer",
      4: "niemand",
    },
  },
  email_notifications_batching_period_seconds: {
    name: "Verpasste Nachrichten per Mail an mich senden",
    options: {
      120: "nach 2 Minuten",
      300: "nach 5 Minuten",
      600: "nach 10 Minuten",
      1800: "nach 30 Minuten",
      3600: "nach einer Stunde",
      21600: "nach 6 Stunden",
      86400: "nach einem Tag",
      604800: "nach einer Woche",
    },
  },
  realm_name_in_email_notifications_policy: {
    name: "Betreffzeilen von Mails nennen die Organisation",
    options: { 1: "wenn ich in mehreren bin", 2: "immer", 3: "nie" },
  },
  web_font_size_px: {
    name: "Textgröße",
    options: {
      12: "Sehr klein",
      14: "Klein",
      16: "Mittel",
      18: "Groß",
      20: "Größer",
      24: "Sehr groß",
    },
  },
  web_home_view: {
    name: "Startansicht",
    options: {
      inbox: "Eingang",
      recent: "Letzte Unterhaltungen",
      all_messages: "Alle Nachrichten",
    },
  },
  web_line_height_percent: {
    name: "Zeilenabstand",
    options: { 122: "Eng", 140: "Mittel", 160: "Weit", 180: "Sehr weit" },
  },
  web_mark_read_on_scroll_policy: {
    name: "Nachrichten, die ich gesehen habe, gelten als gelesen",
    options: {
      1: "in Unterhaltungen, in Kanälen und in allen Nachrichten",
      2: "nur in der Ansicht einer einzelnen Unterhaltung",
      3: "nie automatisch",
    },
  },
};

const sounds = new Map([
  ["none", "Keiner"],
  ["chime", "Glockenspiel"],
  ["ding", "Klingel"],
]);

/** Words of one's own settings, in German. */
export const settings: typeof english = {
  account: {
    deactivate: "Mein Konto deaktivieren",
    deactivateHelp:
      "Du wirst überall abgemeldet, und deine API-Schlüssel werden ungültig. Deine Nachrichten bleiben. Nur ein Administrator kann das Konto wieder aktivieren.",
    deactivateName: (name) => `Tippe zur Bestätigung deinen Namen: ${name}`,
    email: "E-Mail-Adresse",
    emailChange: "Adresse ändern",
    emailAsked: (email) =>
      `An ${email} wurde ein Link gesendet. Bis du ihn öffnest, gilt deine alte Adresse weiter.`,
    emailChanged: "Das ist jetzt deine Adresse. Melde dich von nun an mit ihr an.",
    emailNeedsPassword: "Um sie zu ändern, brauchst du ein Passwort, und du hast noch keins.",
    emailNew: "Neue Adresse",
    emailFixed: "In dieser Organisation ändern Administratoren die Adressen.",
    endOthers: "Alle anderen abmelden",
    endSession: "Abmelden",
    endSessionOf: (browser: string, seen: string) => `Abmelden: ${browser}, zuletzt aktiv ${seen}`,
    endKeys: "Auch meine API-Schlüssel widerrufen: Alle anderen Programme müssen sich neu anmelden",
    key: "API-Schlüssel",
    keyGet: "API-Schlüssel holen",
    keyHelp:
      "Bots, Skripte und Programme, die eine zuliprc-Datei verwenden, melden sich mit einem API-Schlüssel an.",
    keyHide: "Schlüssel verbergen",
    keyIs:
      "Ein neuer API-Schlüssel: Wer ihn hat, kann alles, was du kannst. Er wird nur dieses eine Mal gezeigt.",
    keyWithoutPassword:
      "Du hast noch kein Passwort: Einen Schlüssel bekommst du auf deiner Kontoseite.",
    keyWrong: "Das ist nicht dein Passwort, oder es waren zu viele Versuche.",
    lastSeen: (when: string) => `zuletzt aktiv ${when}`,
    logOut: "In diesem Browser abmelden",
    logOutEverywhere: "Überall abmelden",
    password: "Passwort",
    passwordChange: "Passwort ändern",
    passwordChanged:
      "Geändert. Deine anderen Browser sind abgemeldet, und deine API-Schlüssel sind ungültig.",
    passwordChoose: "Ein Passwort wählen",
    passwordHelp: "Das meldet dich in allen anderen Browsern ab und widerruft deine API-Schlüssel.",
    passwordNew: "Neues Passwort",
    passwordNone:
      "Du hast noch keins. Mit einem Passwort meldest du dich nächstes Mal ohne Link an.",
    passwordNow: "Aktuelles Passwort",
    page: "Deine Kontoseite",
    othersEnded: "Deine anderen Browser sind abgemeldet.",
    sessionEnded: "Der Browser ist abgemeldet.",
    sessions: "Wo du angemeldet bist",
    sessionsHelp: "Wenn du einen Browser nicht kennst, melde ihn ab und ändere dein Passwort.",
    thisBrowser: "dieser Browser",
  },
  alerts: {
    add: "Hinzufügen",
    help: "Du wirst benachrichtigt, wenn eine Direktnachricht oder eine Nachricht in einem deiner Kanäle eines dieser Wörter enthält. Stummgeschaltete Kanäle und Themen zählen nicht.",
    none: "Keine Signalwörter.",
    remove: (word) => `Entfernen: ${word}`,
    word: "Wort oder Wortfolge",
  },
  appearance: {
    language: "Sprache",
    languageHelp: "Texte, die noch nicht übersetzt sind, sind auf Englisch.",
    otherPx: (px) => `${px} px`,
    otherPercent: (percent) => `${percent} %`,
  },
  choices,
  export: {
    begin: "Meine Daten exportieren",
    cancel: "Abbrechen",
    done: (count) => `Exportiert, mit ${messages(count)} von dir.`,
    help: "Eine Datei in JSON mit deinem Profil, deinen Einstellungen, Kanälen, Entwürfen, gespeicherten Texten, Erinnerungen, einer Liste deiner Dateien, allem, was du stummgeschaltet oder mit einem Stern versehen hast, und allen Nachrichten, die du gesendet hast.",
    progress: (count) => `Bisher ${messages(count)}…`,
    save: "Datei speichern",
  },
  flags,
  muted: {
    none: "Nichts ist stummgeschaltet.",
    noneHelp: "Themen werden in ihrem Menü stummgeschaltet, Personen auf ihrer Karte.",
    people: "Stummgeschaltete Personen",
    topics: "Stummgeschaltete Themen",
    unmute: "Nicht mehr stummschalten",
    unmuteNamed: (name) => `Nicht mehr stummschalten: ${name}`,
  },
  notifications: {
    ways: { desktop: "Hier", audible: "Ton", push: "Telefon", email: "Mail" },
    kinds: {
      direct: "Direktnachrichten, Erwähnungen und Signalwörter",
      followed: "Themen, denen ich folge",
      channels: "Alle anderen Nachrichten aus Kanälen",
    },
    kind: "Nachrichten",
    cell: (kind, way) => `${kind}: ${way}`,
    sound: "Ton",
    sounds: (name) => sounds.get(name) ?? name.replace(/^./, toUpper),
    tell: "Benachrichtigen",
    tellHelp: "Die Einstellungen eines Kanals können davon abweichen.",
    mail: "Mail",
    topics: "Themen",
  },
  organization: {
    administrators: "Administratoren und Besitzer",
    administratorsHelp: "Bitte sie um alles, was du nicht selbst darfst.",
    defaultChannels: "Kanäle für neue Mitglieder",
    defaultChannelsHelp:
      "Neue Mitglieder kommen automatisch in diese Kanäle. Auf der Seite eines Kanals lässt sich das ändern.",
    defaultChannelsNone:
      "Neue Mitglieder kommen in keinen Kanal von allein. Auf der Seite eines Kanals lässt sich das ändern.",
    description: "Beschreibung",
    more: "Weitere Einstellungen",
    moreHelp:
      "Diese ändert der Betreiber des Servers, mit Befehlen auf dem Server. Jeder Befehl erklärt sich mit --help.",
    name: "Name der Organisation",
    tasks: {
      signIn: "Jemanden hereinlassen, der sein Passwort vergessen hat",
      groups: "Gruppen",
      icon: "Das Symbol der Organisation",
      settings: "Rechte, Fristen zum Bearbeiten, Aufbewahrung von Nachrichten",
      newUsers: "Einstellungen, mit denen neue Mitglieder beginnen",
      fields: "Profilfelder",
      linkifiers: "Muster, die in Nachrichten zu Links werden",
      bots: "Bots",
      audit: "Wer was geändert hat",
      export: "Die Organisation exportieren",
    },
  },
  picture: {
    choose: "Bild auswählen",
    crop: "Ausschnitt wählen",
    cropHelp: "Ziehe das Bild, oder bewege es mit den Pfeiltasten.",
    fixed: "In dieser Organisation ändern Administratoren die Bilder.",
    name: "Bild",
    remove: "Entfernen",
    removed: "Bild entfernt.",
    unreadable: "Dieser Browser kann diese Datei nicht als Bild lesen.",
    zoom: "Größe",
  },
  profile: {
    addPerson: "Jemanden hinzufügen",
    byAdministrators: "Das können nur Administratoren ändern.",
    fields: "Mehr über dich",
    name: "Name",
    nameFixed: "In dieser Organisation ändern Administratoren die Namen.",
    noChoice: "Nicht angegeben",
    removePerson: (name) => `${name} entfernen`,
    required: "Die Organisation bittet alle um diese Angabe.",
    timezone: "Zeitzone",
    timezoneHere: (zone) => `Die Zeitzone dieses Geräts verwenden: ${zone}`,
    timezoneNone: "Nicht angegeben",
  },
  reading: { keys: "Tasten", lists: "Listen", reading: "Lesen" },
  saved: "Gespeichert",
  saving: "Wird gespeichert…",
  showMore: (count) => `${grouped(count)} weitere anzeigen`,
};

const toUpper = (letter: string): string => letter.toUpperCase();
