import { grouped } from "./counts";

/** Words of pictures, films and sounds that are looked at large. */
export const lightbox = {
  close: "Close",
  count: (at: number, all: number) => `${grouped(at)} of ${grouped(all)}`,
  download: "Download",
  from: (sender: string, moment: string) => `${sender}, ${moment}`,
  gone: "It was deleted, or you may no longer see it.",
  next: "Next",
  notLoaded: "It could not be loaded.",
  open: "Open the original",
  previous: "Previous",
  show: "Go to the message",
  title: "Pictures, videos and sounds",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
};
