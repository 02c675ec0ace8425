import type { Language } from "../core/language";
import type { ReasonName } from "../core/reasons";

/** Text of a reason, of its values in order. */
type ReasonText = (...values: string[]) => string;

/**
 * Reasons of refusals in each language but English, in which the refusals themselves are. A reason
 * without a text does not compile.
 */
export const reasonWords: Record<Exclude<Language, "en">, Record<ReasonName, ReasonText>> = {
  de: {
    "address-alike": (email) =>
      `${email} steht für jemanden, dessen Adresse nicht gezeigt wird. Nimm eine andere.`,
    "address-disposable": () => "Diese Organisation nimmt keine Wegwerfadressen.",
    "address-domain": (domain) =>
      `Diese Organisation nimmt keine Adressen von ${domain}: Ein Besitzer kann die Domain hinzufügen.`,
    "address-form": (email) =>
      email === ""
        ? "Gib deine E-Mail-Adresse ein."
        : `„${email}“ ist keine gültige E-Mail-Adresse.`,
    "address-plus": () => "Diese Organisation nimmt keine Adressen mit einem Pluszeichen.",
    "address-taken": (email) => `Die E-Mail-Adresse ${email} hat schon jemand.`,
    "addresses-by-administrators": () =>
      "In dieser Organisation ändern Admins die E-Mail-Adressen.",
    "links-today": (email) =>
      `An ${email} sind heute schon zu viele Links gegangen. Versuch es morgen noch einmal.`,
    "name-alike": (name) =>
      `Der Name ${name} sieht aus wie der von jemand anderem. Nimm einen anderen.`,
    "name-characters": () => "Der Name darf keine Steuerzeichen enthalten.",
    "name-empty": () => "Gib deinen Namen ein.",
    "name-form": () =>
      'Ein Name darf * ` \\ > " @ nicht enthalten und nicht auf | und eine Zahl enden.',
    "name-long": (max) => `Der Name ist zu lang: Er darf höchstens ${max} Zeichen haben.`,
    "name-of-system": (name, bot) =>
      `„${name}“ sieht aus wie ${bot}, der zum Server gehört. Nimm einen anderen Namen.`,
    "name-taken": (name) => `Den Namen ${name} hat schon jemand.`,
    "name-unseen": () => "Der Name muss Zeichen haben, die man sieht.",
    "password-length": (min, max) => `Ein Passwort muss ${min} bis ${max} Zeichen haben.`,
    "password-now": () => "Das ist nicht dein jetziges Passwort, oder es waren zu viele Versuche.",
    "requests-today": () =>
      "Heute wollten schon zu viele beitreten. Versuch es morgen noch einmal.",
    "sign-in-again": () => "Melde dich zuerst neu an: Öffne einen neuen Anmeldelink.",
  },
};
