import type { Post } from "./post";

/** Written after wiki.servarr.com/sonarr/settings, and recorded posts. */
const sonarrPost = {
  eventType: "Grab",
  instanceName: "Sonarr",
  series: { id: 42, title: "The Example Show", year: 2021, tvdbId: 123456 },
  episodes: [{ id: 1, episodeNumber: 5, seasonNumber: 2, title: "The Episode Title" }],
};
const radarrPost = {
  eventType: "Download",
  instanceName: "Radarr",
  movie: { id: 1, title: "Dune", year: 2021, tmdbId: 438631 },
  isUpgrade: true,
};
const lidarrPost = {
  eventType: "Grab",
  instanceName: "Lidarr",
  artist: { id: 1, name: "Little Mix" },
  albums: [{ id: 2, title: "Get Weird" }],
};

export const collectingPosts: Post[] = [
  {
    integration: "sonarr",
    what: "episodes come",
    payload: sonarrPost,
    topic: "The Example Show",
    text: "Episodes of The Example Show are on their way:\n* 2x5 The Episode Title",
  },
  {
    integration: "sonarr",
    what: "something is wrong with it",
    payload: {
      eventType: "Health",
      level: "warning",
      message: "No indexers are available",
      wikiUrl: "https://wiki.servarr.com/sonarr/system",
    },
    topic: "health",
    text: ":warning: No indexers are available ([help](https://wiki.servarr.com/sonarr/system))",
  },
  {
    integration: "radarr",
    what: "a film is upgraded",
    payload: radarrPost,
    topic: "Dune",
    text: "Dune (2021) was upgraded.",
  },
  {
    integration: "lidarr",
    what: "albums come",
    payload: lidarrPost,
    topic: "Little Mix",
    text: "Albums of Little Mix are on their way:\n* Get Weird",
  },
];
