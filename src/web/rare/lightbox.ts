/* All of the second file is imported, or the bundler would cut it into pieces. */
import "../late/parts";
import style from "../look/lightbox.css" with { type: "file" };

export { openLightbox } from "../lightbox/lightbox";
export { style };
