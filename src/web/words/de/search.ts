import type { search as english } from "../en/search";

/** Operators of a search with the words that explain them, in German. */
const operators: (typeof english)["operators"] = {
  "channel:": "Nachrichten in einem Kanal",
  "topic:": "Nachrichten in einem Thema",
  "sender:": "Nachrichten, die jemand gesendet hat",
  "dm:": "Direktnachrichten mit Personen",
  "is:unread": "Ungelesene Nachrichten",
  "has:attachment": "Nachrichten mit Dateien",
  "has:link": "Nachrichten mit Links",
  "has:image": "Nachrichten mit Bildern",
  "has:reaction": "Nachrichten mit Reaktionen",
  "is:starred": "Nachrichten mit Stern",
  "is:mentioned": "Nachrichten, die dich erwähnen",
  "is:followed": "Nachrichten in Themen, denen du folgst",
  "is:dm": "Direktnachrichten",
  "is:alerted": "Nachrichten mit deinen Signalwörtern",
  "is:resolved": "Nachrichten in erledigten Themen",
  "is:muted": "Stummgeschaltete Nachrichten",
  "dm-including:": "Direktnachrichten, an denen eine Person beteiligt ist",
  "mentions:": "Nachrichten, die jemanden erwähnen",
  "in:home": "Nachrichten, die nicht stummgeschaltet sind",
  "in:all": "Alle Nachrichten, auch stummgeschaltete",
  "channels:public": "Nachrichten in öffentlichen Kanälen",
  "channels:web-public": "Nachrichten in Kanälen, die im Web offen sind",
  "channels:archived": "Nachrichten in archivierten Kanälen",
  "near:": "Nachrichten um eine Nachricht herum, nach ihrer Nummer",
  "id:": "Eine Nachricht, nach ihrer Nummer",
  "with:": "Die Unterhaltung einer Nachricht, nach ihrer Nummer",
};

/** Words of the search, in German. */
export const search: typeof english = {
  everywhere: "Überall suchen",
  field: "Nachrichten suchen",
  hint: "Wörter, oder channel: sender: has: is: …",
  incomplete: "Die neuesten Nachrichten werden noch indiziert: Hier können einige fehlen.",
  misread: {
    noOperator: (typed) => `„${typed}“ ist kein Operator`,
    noOperand: (typed) => `„${typed}“ braucht einen Wert hinter dem Operator`,
    noChannel: (typed) => `„${typed}“ ist kein Kanal, den du sehen kannst`,
    noPerson: (typed) => `„${typed}“ ist keine Person in dieser Organisation`,
    severalPeople: (typed) =>
      `„${typed}“ kann für mehrere Personen stehen: Wähle eine aus der Liste`,
    noNumber: (typed) => `„${typed}“ braucht die Nummer einer Nachricht`,
    wordNegated: (typed) => `„${typed}“: Wörter lassen sich nicht ausschließen, nur Operatoren`,
  },
  misreadAll: (reasons) => `${reasons.join("; ")}. Es wurde nach den Wörtern gesucht.`,
  operators,
  people: {
    sender: "von dieser Person gesendet",
    mentions: "erwähnt diese Person",
    dm: "Direktnachrichten mit dieser Person",
    "dm-including": "Direktnachrichten, an denen diese Person beteiligt ist",
  },
  recent: "zuletzt gesucht",
  suggestions: "Vorschläge",
};
