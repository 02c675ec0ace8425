import "./look/tokens.css";
import "./look/base.css";
import "./look/shell.css";
import "./look/feed.css";
import "./look/compose.css";
import "./look/content.css";
import "./look/actions.css";
import "./look/parts.css";
import "./look/views.css";
import "./look/print.css";
import { start } from "./views/start";

start(() => import("./late/parts"), {
  cards: () => import("./rare/cards"),
  lightbox: () => import("./rare/lightbox"),
  later: () => import("./rare/later"),
  settings: () => import("./rare/settings"),
  administration: () => import("./rare/administration"),
  notifications: () => import("./rare/notifications"),
  report: () => import("./rare/report"),
  widgets: () => import("./rare/widgets"),
  offline: () => import("./rare/offline"),
});
