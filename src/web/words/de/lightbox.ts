import type { lightbox as english } from "../en/lightbox";
import { grouped } from "./counts";

/** Words of pictures, films and sounds that are looked at large, in German. */
export const lightbox: typeof english = {
  close: "Schließen",
  count: (at, all) => `${grouped(at)} von ${grouped(all)}`,
  download: "Herunterladen",
  from: (sender, moment) => `${sender}, ${moment}`,
  gone: "Es wurde gelöscht, oder du darfst es nicht mehr sehen.",
  next: "Weiter",
  notLoaded: "Es konnte nicht geladen werden.",
  open: "Original öffnen",
  previous: "Zurück",
  show: "Zur Nachricht gehen",
  title: "Bilder, Videos und Audio",
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
};
