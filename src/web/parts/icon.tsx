/** Lines of each icon, on a grid of 20. */
const paths = {
  attach:
    "m15.5 9-6 6a3.5 3.5 0 0 1-5-5l6.5-6.5a2.3 2.3 0 0 1 3.3 3.3l-6.3 6.3a1.1 1.1 0 0 1-1.6-1.6L12 6",
  back: "m12 4-6 6 6 6",
  bold: "M6 4h5a3 3 0 0 1 0 6H6zm0 6h6a3 3 0 0 1 0 6H6z",
  chat: "M4 4.5h12v9H9l-3.5 3v-3H4z",
  close: "M5 5l10 10M15 5 5 15",
  code: "m7 6-4 4 4 4M13 6l4 4-4 4",
  down: "m5.5 8 4.5 4.5L14.5 8",
  eye: "M2.5 10c2-4 4.5-5.5 7.5-5.5s5.5 1.5 7.5 5.5c-2 4-4.5 5.5-7.5 5.5S4.5 14 2.5 10M10 7.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6",
  gear: "M10 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.5 1.5M13.5 13.5 15 15M5 15l1.5-1.5M13.5 6.5 15 5",
  globe:
    "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M3 10h14M10 3c2.5 2 2.5 12 0 14M10 3c-2.5 2-2.5 12 0 14",
  hash: "M5 6.5h13M4 13.5h13M9.5 3 7.5 17M15 3l-2 14",
  italic: "M12 4 8 16M9 4h6M5 16h6",
  link: "M8.5 11.5a3 3 0 0 0 4.3 0l2.7-2.7a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-2.7 2.7a3 3 0 0 0 4.3 4.3l1-1",
  list: "M7 5h10M7 10h10M7 15h10M3.5 5h.01M3.5 10h.01M3.5 15h.01",
  lock: "M6 9V7a4 4 0 0 1 8 0v2M5 9h10v8H5z",
  muted: "M5 13.5c1-1 1-2.5 1-4.5a4 4 0 0 1 6-3.4M14 9.5c0 1.7.2 3 1 4H9M8.5 16h3M4 4l12 12",
  send: "M3.5 10 16.5 4l-3.5 12.5-3-5zM10 11.5l3-3.5",
  smile: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M7 11.5c1.5 2 4.5 2 6 0M7.7 8h.01M12.3 8h.01",
  people:
    "M8 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6M2.5 16c0-3 2.5-4 5.5-4s5.5 1 5.5 4M13.5 4.5a2.8 2.8 0 0 1 0 5M15.5 12.3c1.5.6 2.5 1.7 2.5 3.7",
} as const;

export type IconName = keyof typeof paths;

/** An icon, which says nothing to who cannot see it: the words beside it do. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
