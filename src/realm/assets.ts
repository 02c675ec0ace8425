/** Images and data that the server serves without a login, and that `register` refers to. */
export const realmAssets = (url: string) => ({
  icon: `${url}/static/realm-icon.png`,
  logo: `${url}/static/realm-logo.png`,
  emojiData: `${url}/static/emoji.json`,
});
