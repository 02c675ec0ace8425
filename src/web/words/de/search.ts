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
  "dm-including:": "Direktnachrichten mit Personen und anderen",
  "mentions:": "Nachrichten, die jemanden erwähnen",
  "in:home": "Nachrichten, die nicht stummgeschaltet sind",
  "in:all": "Alle Nachrichten, auch stummgeschaltete",
  "channels:public": "Nachrichten in öffentlichen Kanälen",
  "channels:web-public": "Nachrichten in Kanälen, die im Web offen sind",
  "channels:archived": "Nachrichten in archivierten Kanälen",
  "near:": "Um eine Nachricht herum, nach ihrer Nummer",
  "id:": "Eine Nachricht, nach ihrer Nummer",
  "with:": "Die Unterhaltung einer Nachricht, nach ihrer Nummer",
};

/** Words of the search, in German. */
export const search: typeof english = {
  everywhere: "Überall suchen",
  field: "Nachrichten suchen",
  hint: "Wörter, oder channel: sender: has: is: …",
  incomplete: "Die neuesten Nachrichten werden noch erfasst: Hier können einige fehlen.",
  misread: {
    noOperator: (typed) => `„${typed}“ ist kein Operator`,
    noOperand: (typed) => `„${typed}“ fehlt etwas, was der Operator braucht`,
    noChannel: (typed) => `„${typed}“ nennt keinen Kanal, den du sehen kannst`,
    noPerson: (typed) => `„${typed}“ nennt niemanden hier`,
    severalPeople: (typed) => `„${typed}“ meint mehrere Personen: Wähle eine aus der Liste`,
    noNumber: (typed) => `„${typed}“ braucht die Nummer einer Nachricht`,
    wordNegated: (typed) => `„${typed}“: Wörter lassen sich nicht ausschließen, nur Operatoren`,
  },
  misreadAll: (reasons) => `${reasons.join("; ")}. Es wurde nach den Wörtern gesucht.`,
  operators,
  people: {
    sender: "von dieser Person gesendet",
    mentions: "erwähnt diese Person",
    dm: "Direktnachrichten mit dieser Person",
    "dm-including": "Direktnachrichten mit dieser Person und anderen",
  },
  recent: "schon gesucht",
  suggestions: "Vorschläge",
};
