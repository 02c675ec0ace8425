/** The path of each icon, on a grid of 20. */
const paths = {
  at: "M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0zm0 0v1.2c0 2.3 3.5 2.3 3.5-1.2a6.5 6.5 0 1 0-2.6 5.2",
  attach:
    "m15.5 9-6 6a3.5 3.5 0 0 1-5-5l6.5-6.5a2.3 2.3 0 0 1 3.3 3.3l-6.3 6.3a1.1 1.1 0 0 1-1.6-1.6L12 6",
  back: "m12 4-6 6 6 6",
  bell: "M5 13.5c1-1 1-2.5 1-4.5a4 4 0 0 1 8 0c0 2 0 3.5 1 4.5zM8.5 16h3",
  bold: "M6 4h5a3 3 0 0 1 0 6H6zm0 6h6a3 3 0 0 1 0 6H6z",
  chat: "M4 4.5h12v9H9l-3.5 3v-3H4z",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
  clock: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 6.5V10l2.5 1.5",
  close: "M5 5l10 10M15 5 5 15",
  code: "m7 6-4 4 4 4M13 6l4 4-4 4",
  copy: "M7 7h9v9H7zM4 13V4h9",
  down: "m5.5 8 4.5 4.5L14.5 8",
  download: "M10 3.5v9M6 9l4 4 4-4M4 16.5h12",
  draft: "m4 16 .7-3.2L13.5 4 16 6.5l-8.8 8.8zM11.5 6 14 8.5",
  eye: "M2.5 10c2-4 4.5-5.5 7.5-5.5s5.5 1.5 7.5 5.5c-2 4-4.5 5.5-7.5 5.5S4.5 14 2.5 10M10 7.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6",
  flag: "M5 17V4h9.5l-2 3.5 2 3.5H5",
  gear: "M10 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.5 1.5M13.5 13.5 15 15M5 15l1.5-1.5M13.5 6.5 15 5",
  globe:
    "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M3 10h14M10 3c2.5 2 2.5 12 0 14M10 3c-2.5 2-2.5 12 0 14",
  hash: "M5 6.5h13M4 13.5h13M9.5 3 7.5 17M15 3l-2 14",
  inbox: "M3 11.5 5.5 4h9l2.5 7.5V16H3zM3 11.5h4l1 2h4l1-2h4",
  italic: "M12 4 8 16M9 4h6M5 16h6",
  link: "M8.5 11.5a3 3 0 0 0 4.3 0l2.7-2.7a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-2.7 2.7a3 3 0 0 0 4.3 4.3l1-1",
  list: "M7 5h10M7 10h10M7 15h10M3.5 5h.01M3.5 10h.01M3.5 15h.01",
  lock: "M6 9V7a4 4 0 0 1 8 0v2M5 9h10v8H5z",
  minus: "M4.5 10h11",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  move: "M4 10h12M12 6l4 4-4 4M4 5v10",
  muted: "M5 13.5c1-1 1-2.5 1-4.5a4 4 0 0 1 6-3.4M14 9.5c0 1.7.2 3 1 4H9M8.5 16h3M4 4l12 12",
  people:
    "M8 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6M2.5 16c0-3 2.5-4 5.5-4s5.5 1 5.5 4M13.5 4.5a2.8 2.8 0 0 1 0 5M15.5 12.3c1.5.6 2.5 1.7 2.5 3.7",
  phone: "M6.5 3h7v14h-7zM9 14.5h2",
  pin: "M7 3.5h6l-.7 5.5 2.7 3H5l2.7-3zM10 12v5",
  plus: "M10 4.5v11M4.5 10h11",
  quote: "M8 6c-2.5.7-3.5 2.5-3.5 4.5V14H9v-3.5H4.5M15.5 6c-2.5.7-3.5 2.5-3.5 4.5V14h4.5v-3.5H12",
  reply: "M8 5 3.5 9.5 8 14M3.5 9.5H12a4.5 4.5 0 0 1 4.5 4.5v1",
  right: "m8 5.5 4.5 4.5L8 14.5",
  search: "M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4M12.7 12.7l3.8 3.8",
  send: "M3.5 10 16.5 4l-3.5 12.5-3-5zM10 11.5l3-3.5",
  smile: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M7 11.5c1.5 2 4.5 2 6 0M7.7 8h.01M12.3 8h.01",
  star: "m10 3 2.1 4.5 4.9.6-3.6 3.4.9 4.9L10 14l-4.3 2.4.9-4.9L3 8.1l4.9-.6z",
  trash: "M4 6h12M8 6V4h4v2M5.5 6l.8 10.5h7.4L14.5 6M8.5 9v4.5M11.5 9v4.5",
  unread: "M3.5 5h13v10h-13zM3.5 6l6.5 5 6.5-5",
} as const;

export type IconName = keyof typeof paths;

/** An icon. Screen readers ignore it, because the words beside it have its meaning. */
export const Icon = ({ name, isAtEnd = false }: { name: IconName; isAtEnd?: boolean }) => (
  <svg class={isAtEnd ? "icon end" : "icon"} viewBox="0 0 20 20" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
