/** A link to copy. It can be copied by hand too, because a browser may refuse to copy it. */
export const LinkField = ({ link, label }: { link: string; label: string }) => (
  <input
    class="field"
    readOnly
    value={link}
    aria-label={label}
    onFocus={({ currentTarget }) => currentTarget.select()}
  />
);
