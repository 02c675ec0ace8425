import type { Post } from "./post";

/** Written after wiki.servarr.com/sonarr/settings, and recorded posts. */
const sonarrPost = {
  eventType: "Grab",
  instanceName: "Sonarr",
  series: { id: 42, title: "The Example Show", year: 2021, tvdbId: 123456 },
  episodes: [{ id: 1, episodeNumber: 5, seasonNumber: 2, title: "The Episode Title" }],
};

/** Written after wiki.servarr.com/radarr/settings, and recorded posts. */
const radarrPost = {
  eventType: "Download",
  instanceName: "Radarr",
  movie: { id: 1, title: "Dune", year: 2021, tmdbId: 438631 },
  isUpgrade: true,
};

/** Written after Lidarr itself, src/NzbDrone.Core/Notifications/Webhook. */
const lidarrPost = {
  eventType: "Grab",
  instanceName: "Lidarr",
  applicationUrl: "",
  artist: { id: 1, name: "Little Mix", mbId: "aaaaa-aaa-aaaa-aaaaaa", type: "Group" },
  albums: [{ id: 2, title: "Get Weird", albumType: "Album" }],
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
  {
    integration: "lidarr",
    what: "tracks are imported",
    payload: {
      ...lidarrPost,
      eventType: "Download",
      tracks: [
        { id: 3, title: "Grown", trackNumber: "2" },
        { id: 4, title: "Hair", trackNumber: "3" },
      ],
      trackFiles: [{ id: 5, path: "/music/grown.mp3" }],
      isUpgrade: false,
    },
    topic: "Little Mix",
    text: "Tracks of Little Mix were imported:\n* Grown\n* Hair",
  },
  {
    integration: "lidarr",
    what: "an album is deleted",
    payload: {
      ...lidarrPost,
      eventType: "AlbumDelete",
      album: { id: 2, title: "Get Weird" },
      deletedFiles: true,
    },
    topic: "Little Mix",
    text: "The album Get Weird of Little Mix was deleted.",
  },
  {
    integration: "lidarr",
    what: "a download fails",
    payload: {
      eventType: "DownloadFailure",
      instanceName: "Lidarr",
      releaseTitle: "Little Mix - Get Weird (2015)",
      quality: "FLAC",
    },
    topic: "Lidarr",
    text: ":warning: The download of Little Mix - Get Weird (2015) has failed.",
  },
];
