interface NothingProps {
  title: string;
  /** Words that say what would be here, and how to get it. */
  help: string;
  link?: { href: string; name: string };
}

/** A view that has nothing to show. */
export const Nothing = ({ title, help, link }: NothingProps) => (
  <div class="nothing">
    <b>{title}</b>
    <p>{help}</p>
    {link && (
      <a class="chip" href={link.href}>
        {link.name}
      </a>
    )}
  </div>
);
