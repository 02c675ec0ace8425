import { type EventForms, each, type Integration } from "../integration";
import { pickText } from "../payload";

/* Programs that collect films, series and music; their posts have one form. */

const common = (title: string): EventForms => ({
  Test: { topic: title, text: `${title} can post here.` },
  Health: {
    topic: "health",
    text: ":warning: {message}{?wikiUrl} ([help]({wikiUrl:url})){/wikiUrl}",
  },
  HealthRestored: { topic: "health", text: ":check: {message}" },
  ApplicationUpdate: {
    topic: "updates",
    text: `${title} was updated from {previousVersion} to {newVersion}.`,
  },
  ManualInteractionRequired: {
    topic: title,
    text: "{downloadInfo.title|A download} waits for somebody to look at it.",
  },
});
const eventType: Integration["event"] = ({ payload }) => pickText(payload, "eventType");

const series = "{series.title|Sonarr}";
const episodes = "{#episodes}\n* {seasonNumber}x{episodeNumber} {title}{/episodes}";

/** Its connection "Webhook". Source: wiki.servarr.com/sonarr/settings, Connections. */
export const sonarr: Integration = {
  name: "sonarr",
  title: "Sonarr",
  event: eventType,
  forms: {
    ...common("Sonarr"),
    Grab: { topic: series, text: `Episodes of {series.title} are on their way:${episodes}` },
    Download: {
      topic: series,
      text: `Episodes of {series.title} were {?isUpgrade}upgraded{/isUpgrade}{^isUpgrade}imported{/isUpgrade}:${episodes}`,
    },
    EpisodeFileDelete: { topic: series, text: `Files of {series.title} were deleted:${episodes}` },
    SeriesAdd: { topic: series, text: "The series {series.title} was added." },
    SeriesDelete: { topic: series, text: "The series {series.title} was deleted." },
    Rename: { topic: series, text: "Files of {series.title} were renamed." },
  },
};

const movie = "{movie.title|Radarr}";

/** Its connection "Webhook". Source: wiki.servarr.com/radarr/settings, Connections. */
export const radarr: Integration = {
  name: "radarr",
  title: "Radarr",
  event: eventType,
  forms: {
    ...common("Radarr"),
    Grab: { topic: movie, text: "{movie.title} ({movie.year}) is on its way." },
    Download: {
      topic: movie,
      text: "{movie.title} ({movie.year}) was {?isUpgrade}upgraded{/isUpgrade}{^isUpgrade}imported{/isUpgrade}.",
    },
    MovieAdded: { topic: movie, text: "{movie.title} ({movie.year}) was added." },
    MovieDelete: { topic: movie, text: "{movie.title} ({movie.year}) was deleted." },
    MovieFileDelete: {
      topic: movie,
      text: "A file of {movie.title} ({movie.year}) was deleted.",
    },
    Rename: { topic: movie, text: "Files of {movie.title} were renamed." },
  },
};

const artist = "{artist.name|Lidarr}";

/**
 * Its connection "Webhook". Source: github.com/Lidarr/Lidarr,
 * src/NzbDrone.Core/Notifications/Webhook.
 */
export const lidarr: Integration = {
  name: "lidarr",
  title: "Lidarr",
  event: eventType,
  forms: {
    ...common("Lidarr"),
    Grab: {
      topic: artist,
      text: "Albums of {artist.name} are on their way:{#albums}\n* {title}{/albums}",
    },
    Download: {
      topic: artist,
      text: "Tracks of {artist.name} were {?isUpgrade}upgraded{/isUpgrade}{^isUpgrade}imported{/isUpgrade}:{#tracks}\n* {title}{/tracks}",
    },
    ...each("", ["Rename", "Retag"], {
      topic: artist,
      text: "Files of {artist.name} were changed.",
    }),
    ArtistAdd: { topic: artist, text: "{artist.name} was added." },
    ArtistDelete: { topic: artist, text: "{artist.name} was deleted." },
    AlbumDelete: { topic: artist, text: "The album {album.title} of {artist.name} was deleted." },
    DownloadFailure: {
      topic: artist,
      text: ":warning: The download of {releaseTitle|a release} has failed.",
    },
    ImportFailure: {
      topic: artist,
      text: ":warning: Tracks of {artist.name} could not be imported.",
    },
  },
};
