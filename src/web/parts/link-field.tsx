/** A link that is to be copied: by hand too, because a browser may refuse to. */
export const LinkField = ({ link, label }: { link: string; label: string }) => (
  <input
    class="field"
    readOnly
    value={link}
    aria-label={label}
    onFocus={({ currentTarget }) => currentTarget.select()}
  />
);
