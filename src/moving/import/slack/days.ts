/** A file with the messages of a day in a folder. */
export const dayForm = /^([^/]+)\/(\d{4}-\d{2}-\d{2})\.json$/;
